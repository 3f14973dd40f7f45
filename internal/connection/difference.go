package connection

import "slices"

// changed names the settings in which s differs.
func (old Settings) changed(s Settings) []string {
	var names []string
	for _, f := range []struct {
		name string
		same bool
	}{
		{FieldEmbedded, old.Embedded == s.Embedded}, {FieldBaseURL, old.BaseURL == s.BaseURL}, {FieldInternal, old.InternalHost == s.InternalHost},
		{FieldMethod, old.Method == s.Method}, {FieldUser, old.User == s.User}, {FieldLoginPath, old.LoginPath == s.LoginPath},
		{FieldUserName, old.UserField == s.UserField}, {FieldPassName, old.PasswordField == s.PasswordField}, {FieldRefreshPath, old.RefreshPath == s.RefreshPath},
		{FieldClientID, old.ClientID == s.ClientID}, {FieldTokenPath, old.TokenPath == s.TokenPath}, {FieldScope, old.Scope == s.Scope},
		{FieldClientBasic, old.ClientBasic == s.ClientBasic}, {FieldUnits, old.UnitsPath == s.UnitsPath}, {FieldProfessionals, old.ProfessionalsPath == s.ProfessionalsPath},
		{FieldEligibility, old.Eligibility == s.Eligibility}, {FieldEligiblePath, old.EligibilityPath == s.EligibilityPath},
		{FieldAttachments, old.Attachments == s.Attachments}, {FieldUploadFiles, old.UploadFiles == s.UploadFiles},
		{FieldUploadFile, old.UploadFile == s.UploadFile}, {FieldUploadTotal, old.UploadTotal == s.UploadTotal},
		{FieldConnect, old.Connect == s.Connect}, {FieldQuery, old.Query == s.Query},
		{FieldAnswer, old.Answer == s.Answer}, {FieldDeadline, old.Deadline == s.Deadline}, {FieldByHand, old.ByHand == s.ByHand},
		{FieldFeatures, slices.Equal(old.Features, s.Features)},
	} {
		if !f.same {
			names = append(names, f.name)
		}
	}
	return names
}
