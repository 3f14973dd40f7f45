package account

import (
	"context"
	"fmt"
	"math"
	"time"

	"guiche/internal/problem"
	"guiche/internal/throttle"
)

// attempt counts one more login as failed before it is tried, with a
// problem.Throttled error when it has to wait.
func attempt(ctx context.Context, tx Tx, limit throttle.Limit, name string) error {
	wait, err := limit.Attempt(ctx, tx, name, tx.Now())
	if err == nil && wait > 0 {
		err = throttled(wait)
	}
	return err
}

func throttled(wait time.Duration) error {
	minutes := int(math.Ceil(wait.Minutes()))
	unit := "minutos"
	if minutes == 1 {
		unit = "minuto"
	}
	return problem.New(problem.Throttled, fmt.Sprintf("Muitas tentativas sem sucesso. Tente de novo em %d %s.", minutes, unit))
}
