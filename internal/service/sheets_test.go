package service_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/guide"
	"guiche/internal/service"
)

// drawer draws every guide at the same time and place.
var drawer = service.New(service.Config{Clock: func() time.Time { return start }, Zone: zone})

// filling is what one guide is filled from.
type filling struct {
	record       service.LedgerRequest
	credential   service.Credential
	professional service.Professional
	decided      authorization.Authorization
}

func newFilling() *filling {
	notes, indication := "Em jejum.", "Rotina"
	return &filling{
		record: service.LedgerRequest{
			ReceivedAt: time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC),
			Request: authorization.Request{
				ProviderGuide: "261120143055", CardNumber: "0310004512063345", CardValidity: authorization.DateOf(2027, 12, 31),
				BeneficiaryName: "HELENA DUARTE", RequesterName: "Caio Leme", RequesterCouncil: "CRM", RequesterNumber: "104552", RequesterState: "SP",
				SpecialtyID: 7, AccidentType: "9", CareRegime: "E", CareType: "05", Notes: &notes, ClinicalIndication: &indication,
			},
		},
		credential: service.Credential{Name: "Vale Sereno Saúde", ProviderCode: "004417", ANSRegister: "012345",
			Contractor: "Clínica Beira-Rio", CNES: "0012345"},
		professional: service.Professional{Name: "Ana Beatriz Moura", Council: "CRM", Number: "88123", State: "MG",
			Specialties: []service.Specialty{{ID: 6, CBO: "225125"}, {ID: 7, CBO: "225120"}}},
		decided: authorization.Authorization{
			Status: authorization.Authorized, GuideNumber: "9900123456", Senha: "482017739",
			AuthorizedAt: authorization.DateOf(2026, 11, 20), SenhaValidUntil: authorization.DateOf(2026, 12, 20),
			Procedures: []authorization.ProcedureResult{{Code: "40316521", Name: "TSH", Quantity: 2, Authorized: 1}},
		},
	}
}

// TestService_Sheet says of every field of the form what fills it.
func TestService_Sheet(t *testing.T) {
	f, one := newFilling(), 1
	want := guide.Sheet{
		Operator: "Vale Sereno Saúde", IssuedAt: authorization.NewLocalTime(start),
		ANSRegister: "012345", ProviderGuide: "261120143055", AuthorizedAt: authorization.DateOf(2026, 11, 20),
		Senha: "482017739", SenhaValidUntil: authorization.DateOf(2026, 12, 20), OperatorGuide: "9900123456",
		Beneficiary: guide.Beneficiary{Card: "0310004512063345", CardUntil: authorization.DateOf(2027, 12, 31), Name: "HELENA DUARTE"},
		Requester: guide.Requester{Code: "004417", Contractor: "Clínica Beira-Rio", Name: "Caio Leme",
			Council: "06", Number: "104552", State: "35", CBO: "999999"},
		Request: guide.Request{Urgency: "1", RequestedAt: authorization.NewLocalTime(f.record.ReceivedAt.In(zone)), Indication: "Rotina",
			Procedures: []guide.Procedure{{Table: "22", Code: "40316521", Name: "TSH", Requested: 2, Authorized: &one}}},
		ExecutingProvider: guide.ExecutingProvider{Code: "004417", Contractor: "Clínica Beira-Rio", CNES: "0012345"},
		Care:              guide.Care{Type: "23", Accident: "9"},
		Professionals:     []guide.Professional{{Name: "Ana Beatriz Moura", Council: "06", Number: "88123", State: "31", CBO: "225120"}},
		Notes:             "Em jejum.",
	}
	if got := f.sheet(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v,\nwant %+v", got, want)
	}
}

func (f *filling) sheet() guide.Sheet {
	return drawer.Sheet(f.record, f.credential, f.professional, f.decided)
}

// TestService_Sheet_codes holds the printed codes to the tables of the ANS.
func TestService_Sheet_codes(t *testing.T) {
	type change = func(r *authorization.Request)
	careType := func(code, regime string) change {
		return func(r *authorization.Request) { r.CareType, r.CareRegime = code, regime }
	}
	council := func(s string) change { return func(r *authorization.Request) { r.RequesterCouncil = s } }
	for _, tt := range []struct {
		name, want string
		change     change
		got        func(s guide.Sheet) string
	}{
		{"32 exames", "23", careType("05", "E"), typeOfCare},
		{"32 exame", "23", careType("23", "E"), typeOfCare},
		{"32 remoção", "01", careType("01", "E"), typeOfCare},
		{"32 pequeno atendimento", "13", careType("13", "E"), typeOfCare},
		{"32 domiciliar", "", careType("06", "E"), typeOfCare},
		{"32 internação", "", careType("07", "E"), typeOfCare},
		{"32 pronto-socorro", "", careType("11", "E"), typeOfCare},
		{"91 untold", "", careType("05", "E"), regime},
		{"91 domiciliar", "02", careType("06", "E"), regime},
		{"91 internação", "03", careType("07", "U"), regime},
		{"91 pronto-socorro", "04", careType("11", "U"), regime},
		{"91 given", "05", careType("04", "05"), regime},
		{"91 given goes before told", "01", careType("11", "01"), regime},
		{"21 eletivo", "1", careType("05", "E"), urgency},
		{"21 urgência", "2", careType("05", "U"), urgency},
		{"21 untold", "", careType("05", "04"), urgency},
		{"34 exam", "", func(r *authorization.Request) { r.FollowUp = true }, consultation},
		{"34 consultation", "", careType("04", "E"), consultation},
		{"34 return", "2", func(r *authorization.Request) { r.CareType, r.FollowUp = "04", true }, consultation},
		{"33", "0", func(r *authorization.Request) { r.AccidentType = "0" }, func(s guide.Sheet) string { return s.Care.Accident }},
		{"16 upper and lower case", "04", council("CRFa"), requesterCouncil},
		{"16 others", "10", council("OUT"), requesterCouncil},
		{"16 outside of the table", "CRTO", council("CRTO"), requesterCouncil},
		{"18 abroad", "98", func(r *authorization.Request) { r.RequesterState = "EX" }, func(s guide.Sheet) string { return s.Requester.State }},
		{"23 empty", "", func(r *authorization.Request) { r.ClinicalIndication = nil },
			func(s guide.Sheet) string { return s.Request.Indication }},
		{"58 none", "", func(r *authorization.Request) { r.Notes = nil }, notes},
		{"58 newborn", "Recém-nascido: RN DE HELENA, nascimento em 19/11/2026.\nEm jejum.", func(r *authorization.Request) {
			r.Newborn, r.NewbornName, r.NewbornBirth = true, "RN DE HELENA", authorization.DateOf(2026, 11, 19)
		}, notes},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFilling()
			tt.change(&f.record.Request)
			if got := tt.got(f.sheet()); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func typeOfCare(s guide.Sheet) string       { return s.Care.Type }
func regime(s guide.Sheet) string           { return s.Care.Regime }
func consultation(s guide.Sheet) string     { return s.Care.ConsultationType }
func urgency(s guide.Sheet) string          { return s.Request.Urgency }
func requesterCouncil(s guide.Sheet) string { return s.Requester.Council }
func notes(s guide.Sheet) string            { return s.Notes }

// TestService_Sheet_domains: every value that the interface admits is printed as a
// code of its table, or not at all where the table lacks it.
func TestService_Sheet_domains(t *testing.T) {
	f := newFilling()
	for _, o := range authorization.Councils() {
		f.record.Request.RequesterCouncil = o.Code
		if got := requesterCouncil(f.sheet()); len(got) != 2 || got < "01" || got > "15" {
			t.Errorf("council %s: got %q, want a code of table 26", o.Code, got)
		}
	}
	for _, o := range authorization.States() {
		f.record.Request.RequesterState = o.Code
		if got := f.sheet().Requester.State; len(got) != 2 || got < "11" || got > "98" {
			t.Errorf("state %s: got %q, want a code of table 59", o.Code, got)
		}
	}
	const table50 = " 01 02 03 04 08 09 10 13 23 "
	for _, o := range authorization.CareTypes() {
		f.record.Request.CareType = o.Code
		if s := f.sheet(); !strings.Contains(table50, " "+s.Care.Type+" ") && s.Care.Regime == "" {
			t.Errorf("type of care %s: got %q and no regime, want a code of table 50 or of table 76", o.Code, s.Care.Type)
		}
	}
}

func TestService_Sheet_tables(t *testing.T) {
	for code, want := range map[string]string{
		"40316521": "22", "10101012": "22", "50000470": "22", "81000065": "22", "90051505": "20",
		"60000023": "", "70000001": "", "4031652": "", "403165210": "", "PACOTE01": "", "": "",
	} {
		f := newFilling()
		f.decided.Procedures[0].Code = code
		if got := f.sheet().Request.Procedures[0].Table; got != want {
			t.Errorf("code %q: got table %q, want %q", code, got, want)
		}
	}
}

func TestService_Sheet_unknown(t *testing.T) {
	f := newFilling()
	f.credential.CNES, f.record.Request.SpecialtyID = "", 99
	s := f.sheet()
	if s.ExecutingProvider.CNES != "9999999" || s.Professionals != nil {
		t.Errorf("got CNES %q and %v, want 9999999 and nobody", s.ExecutingProvider.CNES, s.Professionals)
	}
}

// TestService_Sheet_quantities: what is authorized (28) stays open until the
// operator has decided.
func TestService_Sheet_quantities(t *testing.T) {
	for _, tt := range []struct {
		status  authorization.Status
		decided bool
	}{
		{authorization.Authorized, true}, {authorization.PartiallyAuthorized, true}, {authorization.Denied, true},
		{authorization.UnderAnalysis, false}, {authorization.AwaitingAttachment, false}, {authorization.AwaitingBiometrics, false},
	} {
		f := newFilling()
		f.decided.Status = tt.status
		if got := f.sheet().Request.Procedures[0].Authorized; (got != nil) != tt.decided {
			t.Errorf("%s: got %v, want it printed: %v", tt.status, got, tt.decided)
		}
	}
}

// TestService_Sheet_date: what is not authorized has no date of an authorization (4), although
// its operator dated the answer.
func TestService_Sheet_date(t *testing.T) {
	for _, info := range authorization.Statuses() {
		f := newFilling()
		f.decided.Status = info.Code
		want := ""
		if strings.Contains("A Z W P E X C", string(info.Code)) {
			want = "20/11/2026"
		}
		if got := f.sheet().AuthorizedAt.Date(); got != want {
			t.Errorf("%s: got %q, want %q", info.Code, got, want)
		}
	}
}
