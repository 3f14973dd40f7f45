package connection

// Overrides are what flags and variables set: it wins over what is stored, and the
// page shows it as fixed.
type Overrides struct {
	Settings                   // only what Names names counts
	Names    map[string]string // by field: its variable; FieldBaseURL stands for the service, the method, who asks and the secret
	Secret   Secret            // of the method, with FieldBaseURL
}

// apply returns s with the overrides. A service that the configuration names may be
// in a local network.
func (o Overrides) apply(s Settings) Settings {
	if o.has(FieldBaseURL) {
		s.Embedded, s.BaseURL, s.Method, s.User, s.ClientID = false, o.BaseURL, o.Method, o.User, o.ClientID
		s.InternalHost = s.Host()
	}
	return o.take(s, o.Settings)
}

// restore returns s with the stored value of everything that is overridden: what the
// page shows as fixed must not be saved.
func (o Overrides) restore(s, stored Settings) Settings {
	if o.has(FieldBaseURL) {
		s.Embedded, s.BaseURL, s.InternalHost = stored.Embedded, stored.BaseURL, stored.InternalHost
		s.Method, s.User, s.ClientID = stored.Method, stored.User, stored.ClientID
		s = o.restoreOtherMethods(s, stored)
	}
	return o.take(s, stored)
}

// restoreOtherMethods returns s with the stored settings of the methods that are not
// in use: the page has no fields of them.
func (o Overrides) restoreOtherMethods(s, stored Settings) Settings {
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
func (o Overrides) take(s, from Settings) Settings {
	for field := range o.Names {
		if take := singles[field]; take != nil {
			take(&s, from)
		}
	}
	return s
}

func (o Overrides) has(field string) bool {
	_, ok := o.Names[field]
	return ok
}
