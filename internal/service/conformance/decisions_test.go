package conformance_test

import "testing"

// Our decisions row by row, for Guichê's own service alone.

func TestRow01_RequiredFields(t *testing.T)  { hold(t) }
func TestRow02_Attachments(t *testing.T)     { hold(t) }
func TestRow03_Domains(t *testing.T)         { hold(t) }
func TestRow04_ErrorItems(t *testing.T)      { hold(t) }
func TestRow05_AbsentNullEmpty(t *testing.T) { hold(t) }
func TestRow06_Data(t *testing.T)            { hold(t) }
func TestRow07_ProviderGuide(t *testing.T)   { hold(t) }
func TestRow08_Order(t *testing.T)           { hold(t) }
func TestRow09_Statuses(t *testing.T)        { hold(t) }
func TestRow10_Limits(t *testing.T)          { hold(t) }
func TestRow11_Idempotency(t *testing.T)     { hold(t) }
func TestRow12_StrictReading(t *testing.T)   { hold(t) }
func TestRow13_Registers(t *testing.T)       { hold(t) }
func TestRow14_Search(t *testing.T)          { hold(t) }
func TestRow15_Eligibility(t *testing.T)     { hold(t) }
func TestRow16_Submission(t *testing.T)      { hold(t) }
func TestRow17_Features(t *testing.T)        { hold(t) }
func TestRow18_Later(t *testing.T)           { hold(t) }
func TestRow19_Life(t *testing.T)            { hold(t) }
func TestRow20_Biometrics(t *testing.T)      { hold(t) }
func TestRow22_Description(t *testing.T)     { hold(t) }
func TestRow23_Sessions(t *testing.T)        { hold(t) }
func TestRow24_OAuth(t *testing.T)           { hold(t) }
func TestRow25_Scopes(t *testing.T)          { hold(t) }
func TestRow26_Methods(t *testing.T)         { hold(t) }
