package authorization

import "time"

// ReviewTime is how long a denial that an operator was asked to look at again waits for the
// operator alone. Without its answer somebody asks once more.
const ReviewTime = 7 * 24 * time.Hour
