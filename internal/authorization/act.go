package authorization

// Act names what is asked of a service about one authorization: attachments, biometrics or
// its cancelling (interface.md, row 18).
type Act struct {
	GuideID string // guiaId
	Key     string // Idempotency-Key (row 11): the same act again has the same one
}

// Offers is what a service takes or tells beside requests (interface.md, row 17).
type Offers struct {
	Attachments  bool // anexos
	Biometrics   bool // biometria
	Cancellation bool // cancelamento
	Eligibility  bool // elegibilidade, or a setting that says so
	Repeatable   bool // idempotencia: the same act with the same key is not done twice
}

// Doubtful is the error of an act that may have been done although no answer says so.
type Doubtful struct{ Err error }

// Error implements error.
func (d *Doubtful) Error() string { return d.Err.Error() }

// Unwrap returns why nobody knows.
func (d *Doubtful) Unwrap() error { return d.Err }

// Kinds of biometric captures.
const (
	CaptureFace  = "facial"
	CaptureToken = "token" // a number that the operator sent to the beneficiary
)

// Capture is one biometric capture; it lives in memory only.
type Capture struct {
	Kind   string // digital, facial, palmar, iris, voz or token
	Device string // what took it, "" when unknown
	Data   []byte
}

// String keeps the capture out of formatted texts.
func (Capture) String() string { return "[biometria]" }

// GoString keeps the capture out of %#v.
func (Capture) GoString() string { return "[biometria]" }
