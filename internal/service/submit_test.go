package service_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// request is one with every required field.
func request(providerGuide string) authorization.Request {
	r := authorization.Request{
		CredentialID: credentialID, CardNumber: "0310004512063345", BeneficiaryName: "HELENA DUARTE",
		RequesterName: "Caio Leme", RequesterCouncil: "CRM", RequesterNumber: "104552", RequesterState: "SP",
		UnitID: unitID, CarePointID: pointID, ProfessionalID: professionalID, SpecialtyID: specialtyID, ProviderGuide: providerGuide,
		Procedures: []authorization.Procedure{{Name: "TSH", Code: "40316521", Quantity: 1}},
	}
	return r.WithDefaults()
}

func submission(providerGuide string) service.Submission {
	return service.Submission{Caller: desk(), Request: request(providerGuide)}
}

// pathsOf are "path code" of each problem of an error.
func pathsOf(err error) string {
	var all []string
	for _, f := range problem.FieldsOf(err) {
		all = append(all, f.Path+" "+f.Code)
	}
	return strings.Join(all, ",")
}

func TestService_Submit(t *testing.T) {
	e := MustEnv(t, limits{})
	first, err := e.Service.Submit(t.Context(), submission("g"))
	if err != nil || first.Replayed || first.Size == 0 {
		t.Fatalf("got %+v, %v", first, err)
	}
	again, err := e.Service.Submit(t.Context(), submission("g"))
	if err != nil || !again.Replayed || again.Blob != first.Blob || again.Size != first.Size {
		t.Errorf("again: got %+v, %v, want %+v", again, err, first)
	}
	changed := submission("g")
	changed.Request.CardNumber = "1"
	if _, err := e.Service.Submit(t.Context(), changed); reasonOf(err) != service.OtherBody {
		t.Errorf("another body: got %v, want %s", err, service.OtherBody)
	}
	if _, err := e.Service.Accept(t.Context(), submission("g")); reasonOf(err) != service.OtherBody {
		t.Errorf("to be decided afterwards: got %v, want %s", err, service.OtherBody)
	}
	text, err := e.Service.OpenAnswer(t.Context(), first)
	e.Must(err)
	defer func() { _ = text.Close() }()
	if stored, err := io.ReadAll(text); err != nil || int64(len(stored)) != first.Size ||
		!strings.HasPrefix(string(stored), `{"sucesso":true,`) {
		t.Errorf("stored: got %d bytes, %v", len(stored), err)
	}
}

// TestService_Submit_Key: a key is its partner's, for its time, and comes before
// guiaPrestador.
func TestService_Submit_Key(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{KeyLife: time.Hour}})
	submit := func(key, providerGuide string, at service.Caller) (service.Answer, error) {
		s := submission(providerGuide)
		s.Key, s.Caller = key, at
		return e.Service.Submit(t.Context(), s)
	}
	if _, err := submit("k", "", desk()); err != nil {
		t.Fatal(err)
	}
	if got, err := submit("k", "", desk()); err != nil || !got.Replayed {
		t.Errorf("the same key: got %+v, %v", got, err)
	}
	if got, err := submit("l", "", desk()); err != nil || got.Replayed {
		t.Errorf("another key: got %+v, %v", got, err)
	}
	if _, err := submit("k", "g", desk()); reasonOf(err) != service.OtherBody {
		t.Errorf("the same key for another body: got %v, want %s", err, service.OtherBody)
	}
	other := desk()
	other.ProfileID = e.MustPartner(t).Profile.ID
	if got, err := submit("k", "", other); err != nil || got.Replayed {
		t.Errorf("another partner's: got %+v, %v", got, err)
	}
	e.Clock.Move(time.Hour)
	if got, err := submit("k", "", desk()); err != nil || got.Replayed {
		t.Errorf("after its time: got %+v, %v", got, err)
	}
	if got := e.Operator.Authorized.Load(); got != 4 {
		t.Errorf("asked %d times, want 4", got)
	}
}

// TestService_Submit_Problems: what could not be read comes first, and nothing is
// said twice about one field.
func TestService_Submit_Problems(t *testing.T) {
	e := MustEnv(t, limits{})
	off := servicetest.Credentials()[1]
	off.Disabled = true
	e.Must(e.Admin.PutCredential(t.Context(), off))
	for name, c := range map[string]struct {
		change func(s *service.Submission)
		want   string
	}{
		"none": {func(*service.Submission) {}, ""},
		"unread": {func(s *service.Submission) {
			s.Request.CardNumber = ""
			s.Problems = []problem.Field{{Path: "numeroCarteira", Code: "tipo"}, {Path: "x", Code: "tipo"}}
		}, "numeroCarteira tipo,x tipo"},
		"with a prefix": {func(s *service.Submission) {
			s.Prefix, s.Request.CardNumber, s.Request.UnitID = "solicitacao.", "", uuid.New()
			s.Problems = []problem.Field{{Path: "solicitacao.nomeContato", Code: "tipo"}}
		}, "solicitacao.nomeContato tipo,solicitacao.numeroCarteira obrigatorio,solicitacao.unidadeId dominio"},
		"unknown credential":   {func(s *service.Submission) { s.Request.CredentialID = uuid.New() }, "credencialId dominio"},
		"disabled credential":  {func(s *service.Submission) { s.Request.CredentialID = strictID }, "credencialId dominio"},
		"no credential":        {func(s *service.Submission) { s.Request.CredentialID = uuid.Nil }, "credencialId obrigatorio"},
		"unknown unit":         {func(s *service.Submission) { s.Request.UnitID = uuid.New() }, "unidadeId dominio"},
		"unknown care point":   {func(s *service.Submission) { s.Request.CarePointID = uuid.New() }, "pontoAtendimentoId dominio"},
		"unknown professional": {func(s *service.Submission) { s.Request.ProfessionalID = uuid.New() }, "profissionalExecutanteId dominio"},
		"unknown specialty":    {func(s *service.Submission) { s.Request.SpecialtyID = 1 }, "especialidadeExecutanteId dominio"},
		"no unit and no points": {func(s *service.Submission) { s.Request.UnitID, s.Request.CarePointID = uuid.Nil, uuid.Nil },
			"unidadeId obrigatorio,pontoAtendimentoId obrigatorio"},
	} {
		s := submission("")
		c.change(&s)
		if _, err := e.Service.Submit(t.Context(), s); pathsOf(err) != c.want || c.want != "" && !problem.Is(err, problem.Invalid) {
			t.Errorf("%s: got %q, %v, want %q", name, pathsOf(err), err, c.want)
		}
	}
	if got := e.Operator.Authorized.Load(); got != 1 {
		t.Errorf("the operator was asked %d times, want once", got)
	}
	unconnected := submission("")
	unconnected.Request.CredentialID = unconnectedID
	if _, err := e.Service.Submit(t.Context(), unconnected); reasonOf(err) != service.Unavailable {
		t.Errorf("unconnected: got %v, want %s", err, service.Unavailable)
	}
}

// TestService_Submit_Indication: without indicacaoClinica the operator is told that of
// the credential; an empty one stays empty.
func TestService_Submit_Indication(t *testing.T) {
	e := MustEnv(t, limits{})
	credential := servicetest.Credentials()[0]
	credential.Indication = "Rotina"
	e.Must(e.Admin.PutCredential(t.Context(), credential))
	empty, given := "", "Dor"
	for name, c := range map[string]struct {
		sent *string
		want string
	}{"omitted": {nil, "Rotina"}, "empty": {&empty, ""}, "given": {&given, "Dor"}} {
		s := submission(name)
		s.Request.ClinicalIndication = c.sent
		if _, err := e.Service.Submit(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := e.Operator.Told().Request.ClinicalIndication; got == nil || *got != c.want {
			t.Errorf("%s: got %v, want %q", name, got, c.want)
		}
		s.Request.ClinicalIndication = c.sent
		if again, err := e.Service.Submit(t.Context(), s); err != nil || !again.Replayed {
			t.Errorf("%s, again: got %+v, %v", name, again, err)
		}
	}
}

// TestService_Submit_Crowded: who finds no slot for its time leaves no trace, and a
// slot that is given back is free.
func TestService_Submit_Crowded(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{OperatorCalls: 1, BusyWait: 20 * time.Millisecond}})
	reached, release := make(chan struct{}), make(chan struct{})
	e.Operator.Before(func(context.Context, service.OperatorRequest) error { close(reached); <-release; return nil })
	first := make(chan error)
	go func() {
		_, err := e.Service.Submit(context.WithoutCancel(t.Context()), submission("1"))
		first <- err
	}()
	<-reached
	_, err := e.Service.Submit(t.Context(), submission("2"))
	var refused *service.Refusal
	if !errors.As(err, &refused) || refused.Reason != service.Unavailable || refused.RetryAfter != 5*time.Second {
		t.Errorf("got %v, want %s for 5 s", err, service.Unavailable)
	}
	if _, err := e.Service.CheckEligibility(t.Context(), service.EligibilityQuery{EligibilityID: eligibilityID,
		CardNumber: "1"}); reasonOf(err) != service.Unavailable {
		t.Errorf("eligibility: got %v, want %s", err, service.Unavailable)
	}
	close(release)
	if err := <-first; err != nil {
		t.Errorf("the first: %v", err)
	}
	e.Operator.Before(nil)
	for _, number := range []string{"2", "3", "3"} { // what was there already gives its slot back too
		if _, err := e.Service.Submit(t.Context(), submission(number)); err != nil {
			t.Errorf("%s: %v", number, err)
		}
	}
	if got := e.Operator.Authorized.Load(); got != 3 {
		t.Errorf("asked %d times, want 3", got)
	}
}

// TestService_Submit_Interrupted: a request that a process left behind counts as
// under way until its operator cannot be answering any more, and to the moment.
func TestService_Submit_Interrupted(t *testing.T) {
	for name, c := range map[string]struct {
		timeout time.Duration // of the credential
		until   time.Duration
	}{"of the service": {0, time.Minute + time.Second}, "of the credential": {2 * time.Minute, 2*time.Minute + time.Second}} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{Service: service.Limits{OperatorTimeout: time.Minute, BusyWait: time.Second}})
			credential := servicetest.Credentials()[0]
			credential.Timeout = c.timeout
			e.Must(e.Admin.PutCredential(t.Context(), credential))
			e.Operator.Operator = servicetest.Fixed{} // knows nothing
			s := submission("g")
			fingerprint, err := service.FingerprintOf("", s.Request)
			e.Must(err)
			_, _, err = e.Store().Receive(t.Context(), service.RequestEntry{
				ID: uuid.New(), Caller: desk(), Fingerprint: fingerprint, Request: s.Request, ReceivedAt: e.Clock.Now(),
			})
			e.Must(err)
			for _, step := range []struct {
				move time.Duration
				want service.Reason
			}{{0, service.Busy}, {c.until, service.Busy}, {time.Microsecond, service.OperatorTimeout}, {time.Hour, service.OperatorTimeout}} {
				e.Clock.Move(step.move)
				if _, err := e.Service.Submit(t.Context(), s); reasonOf(err) != step.want {
					t.Errorf("%v later: got %v, want %s", step.move, err, step.want)
				}
				if _, err := e.Service.FindByGuide(t.Context(), desk().ProfileID, "g"); reasonOf(err) != step.want {
					t.Errorf("%v later, looked up: got %v, want %s", step.move, err, step.want)
				}
			}
		})
	}
}

func TestService_Accept(t *testing.T) {
	e := MustEnv(t, limits{})
	first, err := e.Service.Accept(t.Context(), submission("g"))
	if err != nil || first.Replayed || first.ProviderGuide != "g" || first.Status != authorization.UnderAnalysis ||
		first.GuideID == uuid.Nil || uuid.Validate(first.Protocol) != nil {
		t.Fatalf("got %+v, %v", first, err)
	}
	again, err := e.Service.Accept(t.Context(), submission("g"))
	if want := first; err != nil || !again.Replayed || again.Protocol != want.Protocol || again.GuideID != want.GuideID ||
		again.Status != want.Status {
		t.Errorf("again: got %+v, %v, want %+v", again, err, first)
	}
	if _, err := e.Service.Submit(t.Context(), submission("g")); reasonOf(err) != service.OtherBody {
		t.Errorf("to be decided at once: got %v, want %s", err, service.OtherBody)
	}
	changed := submission("g")
	changed.Request.CardNumber = "1"
	if _, err := e.Service.Accept(t.Context(), changed); reasonOf(err) != service.OtherBody {
		t.Errorf("another body: got %v, want %s", err, service.OtherBody)
	}
	found, err := e.Service.Authorization(t.Context(), desk().ProfileID, first.GuideID)
	if err != nil || found.Status != authorization.UnderAnalysis || !found.Success || found.Number != 1 ||
		found.Protocol != first.Protocol || len(found.Procedures) != 1 || found.Procedures[0].Name != "TSH" || found.Procedures[0].Quantity != 1 {
		t.Errorf("undecided: got %+v, %v", found, err)
	}
	if _, err := e.Service.Authorization(t.Context(), uuid.New(), first.GuideID); !errors.Is(err, service.ErrNoAuthorization) {
		t.Errorf("another partner's: got %v, want %v", err, service.ErrNoAuthorization)
	}
}

// lossy loses the first blobs that are stored after it begins to.
type lossy struct {
	blob.Store
	pdfs, answers int   // that are lost
	cause         error // why; nil: errDisk
}

func (l *lossy) Put(ctx context.Context, r io.Reader) (blob.Info, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return blob.Info{}, err
	}
	lost := &l.answers
	if strings.HasPrefix(string(text), "%PDF") {
		lost = &l.pdfs
	}
	if *lost > 0 {
		*lost--
		return blob.Info{}, cmp.Or(l.cause, errDisk)
	}
	return l.Store.Put(ctx, strings.NewReader(string(text)))
}

// TestService_Submit_Disk: a guide that cannot be stored is left out of the answer, and
// one for which there is no space waits for it. An answer with one guide needs no file.
func TestService_Submit_Disk(t *testing.T) {
	disk := &lossy{}
	e := MustEnv(t, limits{})
	e.WrapBlobs = func(s blob.Store) blob.Store { disk.Store = s; return disk }
	e.Restart()
	noSpace := problem.New(problem.NoSpace, "")
	for name, c := range map[string]struct {
		pdfs, answers int
		cause         error // nil: errDisk
		want          service.Reason
		guide         bool
	}{
		"all is well": {0, 0, nil, "", true}, "the guide is lost": {1, 0, nil, "", false},
		"the answer is late": {0, 1, nil, "", true}, "both are lost": {1, 2, nil, "", false},
		"the guide waits for space": {2, 0, noSpace, "", true}, "both wait for space": {1, 2, noSpace, "", true},
	} {
		number := strconv.Itoa(len(name))
		disk.pdfs, disk.answers, disk.cause = c.pdfs, c.answers, c.cause
		_, err := e.Service.Submit(t.Context(), submission(number))
		if reasonOf(err) != c.want || c.want == "" && err != nil {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
			continue
		}
		if c.want != "" {
			continue
		}
		found, err := e.Service.FindByGuide(t.Context(), desk().ProfileID, number)
		if err != nil || len(found.Authorizations) != 1 || (found.Authorizations[0].GuidePDF != "") != c.guide {
			t.Errorf("%s: got %+v, %v, want a guide: %v", name, found, err, c.guide)
		}
	}
}

// TestService_Eligibility_Problems: the credential is looked at first, and of a
// request's rules only those of the card count.
func TestService_Eligibility_Problems(t *testing.T) {
	e := MustEnv(t, limits{})
	strict := servicetest.Credentials()[1]
	strict.EligibilityID = uuid.New()
	e.Must(e.Admin.PutCredential(t.Context(), strict))
	for name, c := range map[string]struct {
		query service.EligibilityQuery
		want  string
	}{
		"fine":               {service.EligibilityQuery{EligibilityID: eligibilityID, CardNumber: "1"}, ""},
		"no card":            {service.EligibilityQuery{EligibilityID: eligibilityID}, "numeroCarteira obrigatorio"},
		"unknown credential": {service.EligibilityQuery{EligibilityID: uuid.New(), CardNumber: "1"}, "credencialId dominio"},
		"the zero one":       {service.EligibilityQuery{CardNumber: "1"}, "credencialId dominio"},
		"unread": {service.EligibilityQuery{Problems: []problem.Field{{Path: "credencialId", Code: "formato"}}},
			"credencialId formato,numeroCarteira obrigatorio"},
		"unknown and unread": {service.EligibilityQuery{EligibilityID: uuid.New(), CardNumber: "1",
			Problems: []problem.Field{{Path: "validadeCarteira", Code: "formato"}}},
			"credencialId dominio,validadeCarteira formato"},
		"strict": {service.EligibilityQuery{EligibilityID: strict.EligibilityID, CardNumber: "1"},
			"numeroCarteira formato,validadeCarteira obrigatorio"},
	} {
		if _, err := e.Service.CheckEligibility(t.Context(), c.query); pathsOf(err) != c.want {
			t.Errorf("%s: got %q, %v, want %q", name, pathsOf(err), err, c.want)
		}
	}
}

func TestService_Eligibility_Operator(t *testing.T) {
	e := MustEnv(t, limits{})
	query := service.EligibilityQuery{EligibilityID: eligibilityID, CardNumber: "0310004512063345",
		CardValidity: authorization.DateOf(2027, 12, 31)}
	got, err := e.Service.CheckEligibility(t.Context(), query)
	if told := e.Operator.Eligibility; err != nil || !got.Eligible || told.CardNumber != query.CardNumber ||
		told.CardValidity != query.CardValidity ||
		told.Credential.ID != credentialID || !told.AskedAt.Equal(start) || told.AskedAt.Location() != zone {
		t.Errorf("got %+v, %v, the operator %+v", got, err, told)
	}
	e.Operator.Operator = servicetest.Fixed{}
	if _, err := e.Service.CheckEligibility(t.Context(), query); reasonOf(err) != service.OperatorFailed {
		t.Errorf("an operator that fails: got %v, want %s", err, service.OperatorFailed)
	}
	e.Plain = true
	e.Restart()
	if _, err := e.Service.CheckEligibility(t.Context(), query); reasonOf(err) != service.NotOffered {
		t.Errorf("an operator that cannot: got %v, want %s", err, service.NotOffered)
	}
	for i, c := range servicetest.Credentials() {
		c.Disabled = i < 2
		e.Must(e.Admin.PutCredential(t.Context(), c))
	}
	if _, err := e.Service.CheckEligibility(t.Context(), query); reasonOf(err) != service.Unavailable {
		t.Errorf("an operator that left: got %v, want %s", err, service.Unavailable)
	}
}

// TestRefusal_Error: the log gets the reason and its cause, never the message.
func TestRefusal_Error(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("1")
	_, err := e.Service.Act(t.Context(), service.ActionRequest{Caller: desk(), GuideID: idOf(id), Kind: service.ActionBiometrics})
	if err == nil || err.Error() != "situacao_nao_permite" || errors.Unwrap(err) != nil {
		t.Errorf("got %v", err)
	}
	e.Operator.Operator = refusing{errors.New("line cut")}
	_, err = e.Service.CheckEligibility(t.Context(), service.EligibilityQuery{EligibilityID: eligibilityID, CardNumber: "1"})
	if err == nil || err.Error() != "falha_operadora: line cut" {
		t.Errorf("got %v", err)
	}
	e.Operator.Operator = refusing{&url.Error{Op: "Get", URL: "https://operadora.example/?carteira=HELENA", Err: context.DeadlineExceeded}}
	_, err = e.Service.CheckEligibility(t.Context(), service.EligibilityQuery{EligibilityID: eligibilityID, CardNumber: "1"})
	if err == nil || err.Error() != "tempo_operadora: Get: context deadline exceeded" || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// refusing is an operator that fails at eligibility.
type refusing struct{ err error }

func (refusing) Authorize(context.Context, service.OperatorRequest) (service.Decision, error) {
	return service.Decision{}, service.ErrNotKnown
}

func (refusing) LookUp(context.Context, service.OperatorRequest) (service.Decision, error) {
	return service.Decision{}, service.ErrNotKnown
}

// CheckEligibility implements service.EligibilityChecker.
func (r refusing) CheckEligibility(context.Context, service.EligibilityRequest) (service.Eligibility, error) {
	return service.Eligibility{}, r.err
}

func TestLimits_WithDefaults(t *testing.T) {
	s := service.Limits{}.WithDefaults()
	if s.KeyLife != 30*24*time.Hour || s.BusyWait != 10*time.Second || s.OperatorTimeout != 45*time.Second ||
		s.OperatorCalls != 8 || s.RetryAfter != time.Minute {
		t.Errorf("got %+v", s)
	}
}
