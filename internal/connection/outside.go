package connection

// Outside is what flags and variables set: it wins over what is stored, and the
// page says so.
type Outside struct {
	Settings                   // only what Names names counts
	Names    map[string]string // by field: its variable; FieldBaseURL stands for the service, the method, who asks and the secret
	Secret   Secret            // of the method, with FieldBaseURL
}

// over returns s with what comes from outside. A service that the program's own
// flags name may be anywhere.
func (o Outside) over(s Settings) Settings {
	if o.has(FieldBaseURL) {
		s.Embedded, s.BaseURL, s.Method, s.User, s.ClientID = false, o.BaseURL, o.Method, o.User, o.ClientID
		s.InternalHost = s.Host()
	}
	return o.take(s, o.Settings)
}

// keep returns s with what is stored wherever the outside decides: a field that
// nobody can set does not change.
func (o Outside) keep(s, stored Settings) Settings {
	if o.has(FieldBaseURL) {
		s.Embedded, s.BaseURL, s.InternalHost = stored.Embedded, stored.BaseURL, stored.InternalHost
		s.Method, s.User, s.ClientID = stored.Method, stored.User, stored.ClientID
		s = o.keepOthers(s, stored)
	}
	return o.take(s, stored)
}

// keepOthers returns s with what is stored of the methods that are not in use: the
// page has no fields of them.
func (o Outside) keepOthers(s, stored Settings) Settings {
	if o.Method != Password {
		s.LoginPath, s.UserField, s.PasswordField, s.RefreshPath = stored.LoginPath, stored.UserField, stored.PasswordField, stored.RefreshPath
	}
	if o.Method != OAuth {
		s.TokenPath, s.Scope, s.ClientBasic = stored.TokenPath, stored.Scope, stored.ClientBasic
	}
	return s
}

// singles are the settings that a variable of their own can set.
var singles = map[string]func(s *Settings, from Settings){
	FieldLoginPath:   func(s *Settings, from Settings) { s.LoginPath = from.LoginPath },
	FieldUserName:    func(s *Settings, from Settings) { s.UserField = from.UserField },
	FieldPassName:    func(s *Settings, from Settings) { s.PasswordField = from.PasswordField },
	FieldTokenPath:   func(s *Settings, from Settings) { s.TokenPath = from.TokenPath },
	FieldAttachments: func(s *Settings, from Settings) { s.Attachments = from.Attachments },
	FieldUploadFiles: func(s *Settings, from Settings) { s.UploadFiles = from.UploadFiles },
	FieldUploadFile:  func(s *Settings, from Settings) { s.UploadFile = from.UploadFile },
	FieldUploadTotal: func(s *Settings, from Settings) { s.UploadTotal = from.UploadTotal },
	FieldConnect:     func(s *Settings, from Settings) { s.Connect = from.Connect },
	FieldQuery:       func(s *Settings, from Settings) { s.Query = from.Query },
	FieldAnswer:      func(s *Settings, from Settings) { s.Answer = from.Answer },
	FieldDeadline:    func(s *Settings, from Settings) { s.Deadline = from.Deadline },
}

// take returns s with the named single settings of another.
func (o Outside) take(s, from Settings) Settings {
	for field := range o.Names {
		if take := singles[field]; take != nil {
			take(&s, from)
		}
	}
	return s
}

func (o Outside) has(field string) bool {
	_, ok := o.Names[field]
	return ok
}
