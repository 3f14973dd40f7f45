package connection

// Outside is what flags and variables set: it wins over what is stored, and the
// page says so.
type Outside struct {
	Settings                   // only what Names names counts
	Names    map[string]string // by field: its variable; FieldBaseURL stands for the service and the access to it
	APIKey   Secret            // with FieldBaseURL
}

// over returns s with what comes from outside. A service that the program's own
// flags name may be anywhere.
func (o Outside) over(s Settings) Settings {
	if o.has(FieldBaseURL) {
		s.Embedded, s.BaseURL, s.Method = false, o.BaseURL, APIKey
		s.InternalHost = s.Host()
	}
	return o.take(s, o.Settings)
}

// keep returns s with what is stored wherever the outside decides: a field that
// nobody can set does not change.
func (o Outside) keep(s, stored Settings) Settings {
	if o.has(FieldBaseURL) {
		s.Embedded, s.BaseURL, s.InternalHost, s.Method = stored.Embedded, stored.BaseURL, stored.InternalHost, stored.Method
		s.User, s.LoginPath, s.UserField, s.PasswordField, s.ClientID = stored.User, stored.LoginPath, stored.UserField, stored.PasswordField, stored.ClientID
	}
	return o.take(s, stored)
}

// take returns s with the named single settings of another.
func (o Outside) take(s, from Settings) Settings {
	if o.has(FieldAttachments) {
		s.Attachments = from.Attachments
	}
	if o.has(FieldConnect) {
		s.Connect = from.Connect
	}
	if o.has(FieldQuery) {
		s.Query = from.Query
	}
	if o.has(FieldAnswer) {
		s.Answer = from.Answer
	}
	if o.has(FieldDeadline) {
		s.Deadline = from.Deadline
	}
	return s
}

func (o Outside) has(field string) bool {
	_, ok := o.Names[field]
	return ok
}
