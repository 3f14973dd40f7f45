package service

import "time"

// Limits are the settings of rows 8 to 14. A zero field takes its default.
type Limits struct {
	MaxBody         int64         // bytes of a request body; default 96 MiB
	MaxAttachment   int64         // bytes of one attachment; default 20 MiB
	MaxAttachments  int           // default 20
	MaxKey          int           // characters of Idempotency-Key; default 255
	KeyLife         time.Duration // how long Idempotency-Key is kept; default 30 days
	BusyWait        time.Duration // how long an equal request waits for the first one's answer; default 10 s
	OperatorTimeout time.Duration // for operators whose credential says nothing; default 45 s
	OperatorCalls   int           // calls for one credential at once; half as many more for what is decided later; default 8
	MaxCaptures     int           // biometric captures at once; default 10
	RetryAfter      time.Duration // told where no operator is connected; default 60 s
	PageSize        int           // credentials on a page; default 50
	MaxPageSize     int           // default 200
}

const (
	maxRest  = 1 << 20 // bytes of a body without its attachments (row 12)
	maxDepth = 64      // row 9
)

func (l Limits) withDefaults() Limits {
	setDefault(&l.MaxBody, 96<<20)
	setDefault(&l.MaxAttachment, 20<<20)
	setDefault(&l.MaxAttachments, 20)
	setDefault(&l.MaxKey, 255)
	setDefault(&l.KeyLife, 30*24*time.Hour)
	setDefault(&l.BusyWait, 10*time.Second)
	setDefault(&l.OperatorTimeout, 45*time.Second)
	setDefault(&l.OperatorCalls, 8)
	setDefault(&l.MaxCaptures, 10)
	setDefault(&l.RetryAfter, time.Minute)
	setDefault(&l.PageSize, 50)
	setDefault(&l.MaxPageSize, 200)
	return l
}

func setDefault[T int | int64 | time.Duration](v *T, value T) {
	if *v == 0 {
		*v = value
	}
}
