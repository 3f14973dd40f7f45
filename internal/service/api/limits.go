package api

import (
	"cmp"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/ingress"
)

// Limits are how much a request may hold (rows 8 to 14). A zero field takes its
// default.
type Limits struct {
	MaxBody        int64 // bytes of a request body; default 96 MiB
	MaxAttachment  int64 // bytes of one attachment; default 20 MiB
	MaxAttachments int   // default 20
	MaxKey         int   // characters of Idempotency-Key; default 255
	MaxCaptures    int   // biometric captures at once; default 10
	PageSize       int   // credentials on a page; default 50
	MaxPageSize    int   // default 200

	AnswerMemory  int64         // bytes of an answer that are read before it is sent; of a longer one all is read twice; default 256 KiB
	CaptureMemory int64         // bytes of biometric bodies that are in memory at a time; default 16 MiB
	CaptureWait   time.Duration // how long one waits for its turn; default 20 s
	CaptureTime   time.Duration // how long one takes to come; default 1 min
	RefusedTime   time.Duration // how long a sender nobody knows is listened to after a refusal; default 2 s
}

const (
	maxRest      = 1 << 20  // bytes of a body without its attachments (row 12)
	maxAnonymous = 64 << 10 // bytes of a login, a renewal, a grant: their senders are not known yet
	maxDepth     = 64       // row 9
)

// WithDefaults returns the limits with the defaults filled in.
func (l Limits) WithDefaults() Limits {
	return Limits{
		MaxBody:        cmp.Or(l.MaxBody, authorization.MaxBody),
		MaxAttachment:  cmp.Or(l.MaxAttachment, authorization.MaxAttachment),
		MaxAttachments: cmp.Or(l.MaxAttachments, authorization.MaxAttachments),
		MaxKey:         cmp.Or(l.MaxKey, 255),
		MaxCaptures:    cmp.Or(l.MaxCaptures, 10),
		PageSize:       cmp.Or(l.PageSize, 50),
		MaxPageSize:    cmp.Or(l.MaxPageSize, 200),
		AnswerMemory:   cmp.Or(l.AnswerMemory, 256<<10),
		CaptureMemory:  cmp.Or(l.CaptureMemory, 16<<20),
		CaptureWait:    cmp.Or(l.CaptureWait, 20*time.Second),
		CaptureTime:    cmp.Or(l.CaptureTime, time.Minute),
		RefusedTime:    cmp.Or(l.RefusedTime, ingress.RefusedTime),
	}
}
