package service

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/guide"
	"guiche/internal/problem"
	"guiche/internal/service/wire"
)

// storeDecision draws the guides of a decision, sets their GuidePDF, and stores
// them and the answer as it will go over the wire. One with a guide at most is no blob: the
// guide would be stored twice.
func (s *Service) storeDecision(ctx context.Context, r LedgerRequest, c Credential, d Decision) (a Answer, err error) {
	files := s.drawGuides(ctx, r, c, d)
	write := func(w *wire.Writer) { w.Decision(d.Authorizations, d.Errors, files.aggregated) }
	if len(files.pdfs) > 1 {
		info, err := files.storeWithAnswer(ctx, d.Authorizations, write)
		return Answer{Blob: info.Ref, Size: info.Size}, err
	}
	err = files.whileStored(d.Authorizations, func() (err error) {
		if a.Text, a.Content, err = files.compose(ctx, write); err == nil {
			a.Blob, a.Size = a.Text.Name(), int64(len(a.Content))
		}
		return err
	})
	return a, err
}

// storeUpdate draws and stores the guide of one authorization, and with it the
// answer to an action when there was one.
func (s *Service) storeUpdate(ctx context.Context, r LedgerRequest, c Credential, d Decision, answers bool) (info blob.Info, err error) {
	files := s.drawGuides(ctx, r, c, d)
	if answers {
		return files.storeWithAnswer(ctx, d.Authorizations, func(w *wire.Writer) { w.Single(d.Authorizations[0]) })
	}
	_, err = files.settle(d.Authorizations)
	return info, err
}

// drawGuides draws one PDF for each authorization that has a guide number and
// sets its GuidePDF; with more than one there is the aggregated PDF too (2.5). A
// guide that cannot be drawn is logged and left out: what the operator decided
// counts more than its print. What is returned must be settled.
func (s *Service) drawGuides(ctx context.Context, r LedgerRequest, c Credential, d Decision) *guideFiles {
	files := s.newGuideFiles(r)
	professional := files.professional(ctx, s.store, r)
	var sheets []guide.Sheet
	for i := range d.Authorizations {
		a := &d.Authorizations[i]
		if a.GuideNumber == "" {
			continue
		}
		sheet := s.sheet(r, c, professional, *a)
		sheet.Simulated = d.Simulated
		a.GuidePDF = files.draw(ctx, sheet)
		sheets = append(sheets, sheet)
	}
	if len(sheets) > 1 {
		files.aggregated = files.draw(ctx, sheets...)
	}
	return files
}

// professional returns who is printed on the guides of a request.
func (f *guideFiles) professional(ctx context.Context, store DirectoryStore, r LedgerRequest) Professional {
	if r.professional != nil {
		return *r.professional
	}
	found, err := store.Professional(ctx, r.Request.ProfessionalID)
	if err != nil {
		f.logger.Error("guide without professional", "cause", err)
	}
	return found
}

// guidesAtOnce is how many guides of one answer are stored at the same time.
const guidesAtOnce = 8

// guideFiles are drawn guides on their way to disk. An answer takes their bytes
// from here and is stored at the same time: to wait for the disk once is most of
// what an authorization costs.
type guideFiles struct {
	pdfs       map[blob.Ref][]byte
	aggregated blob.Ref // all guides in one PDF, "" with fewer than two (2.5)

	blobs   blob.Store
	logger  *slog.Logger
	slots   chan struct{}
	storing sync.WaitGroup
	mu      sync.Mutex
	lost    map[blob.Ref]bool // those that could not be stored
	later   error             // why some could not for now
}

func (s *Service) newGuideFiles(r LedgerRequest) *guideFiles {
	return &guideFiles{
		pdfs: map[blob.Ref][]byte{}, blobs: s.blobs, logger: s.logger.With("request", r.ID),
		slots: make(chan struct{}, guidesAtOnce), lost: map[blob.Ref]bool{},
	}
}

// draw begins to store sheets as one PDF, "" when they cannot be drawn.
func (f *guideFiles) draw(ctx context.Context, sheets ...guide.Sheet) blob.Ref {
	var pdf bytes.Buffer
	if err := writeGuide(&pdf, sheets); err != nil {
		f.logger.Error("guide not drawn", "cause", err)
		return ""
	}
	return f.store(ctx, pdf.Bytes())
}

// writeGuide turns a panic of the drawing into an error: it would end the program.
func writeGuide(w io.Writer, sheets []guide.Sheet) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicError(cause)
		}
	}()
	return guide.Write(w, sheets...)
}

// store begins to store a guide and returns its name.
func (f *guideFiles) store(ctx context.Context, pdf []byte) blob.Ref {
	content := blob.NewContent(pdf)
	f.pdfs[content.Ref] = pdf
	f.storing.Go(func() {
		f.slots <- struct{}{}
		defer func() { <-f.slots }()
		if _, err := f.blobs.Put(ctx, content.Reader()); err != nil {
			f.logger.Error("guide not stored", "cause", err)
			f.lose(content.Ref, err)
		}
	})
	return content.Ref
}

// lose notes a guide that is not on disk. What passes by itself is no reason to do
// without it.
func (f *guideFiles) lose(ref blob.Ref, cause error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lost[ref] = true
	if problem.Passing(cause) {
		f.later = cause
	}
}

// open is a wire.Opener: a guide that was just drawn is in memory still.
func (f *guideFiles) open(ctx context.Context, ref blob.Ref) (io.ReadCloser, error) {
	if pdf, ok := f.pdfs[ref]; ok {
		return io.NopCloser(bytes.NewReader(pdf)), nil
	}
	return f.blobs.Open(ctx, ref)
}

// settle waits until every guide is on disk. It takes those that could not be
// stored out of the entries and reports whether there were any; its error says that they
// can be stored later.
func (f *guideFiles) settle(entries []authorization.Authorization) (lost bool, err error) {
	f.storing.Wait()
	for i, entry := range entries {
		if f.lost[entry.GuidePDF] {
			entries[i].GuidePDF = ""
		}
	}
	if f.lost[f.aggregated] {
		f.aggregated = ""
	}
	return len(f.lost) > 0, f.later
}

// storeWithAnswer stores an answer with the guides.
func (f *guideFiles) storeWithAnswer(ctx context.Context, entries []authorization.Authorization,
	write func(*wire.Writer)) (info blob.Info, err error) {
	err = f.whileStored(entries, func() (err error) {
		info, err = f.storeAnswer(ctx, write)
		return err
	})
	return info, err
}

// whileStored has an answer made while the guides are stored, and once more without those
// that could not be: no answer names what is not there.
func (f *guideFiles) whileStored(entries []authorization.Authorization, answer func() error) error {
	err := answer()
	lost, later := f.settle(entries)
	if later != nil {
		return fmt.Errorf("service: store guides: %w", later)
	}
	if lost {
		return answer()
	}
	return err
}

// storeAnswer writes an answer into a blob, from which it is sent, now and at every
// repetition.
func (f *guideFiles) storeAnswer(ctx context.Context, write func(*wire.Writer)) (blob.Info, error) {
	reader, writer := io.Pipe()
	go func() {
		w := wire.NewWriter(ctx, writer, f.open)
		write(w)
		_ = writer.CloseWithError(w.Flush()) // never fails
	}()
	info, err := f.blobs.Put(ctx, reader)
	_ = reader.Close() // lets the writer go when Put ended early
	if err != nil {
		return info, fmt.Errorf("service: store answer: %w", err)
	}
	return info, nil
}

// sheet fills the printed guide from what was asked and what was decided.
func (s *Service) sheet(request LedgerRequest, c Credential, p Professional, a authorization.Authorization) guide.Sheet {
	r := request.Request
	return guide.Sheet{
		Operator: c.Name, IssuedAt: authorization.NewLocalTime(s.clock().In(s.zone)),
		ANSRegister: c.ANSRegister, ProviderGuide: r.ProviderGuide,
		AuthorizedAt: authorizedAt(a), Senha: a.Senha, SenhaValidUntil: a.SenhaValidUntil, OperatorGuide: a.GuideNumber,
		Beneficiary:       guide.Beneficiary{Card: r.CardNumber, CardUntil: r.CardValidity, Name: r.BeneficiaryName, Newborn: r.Newborn},
		Requester:         sheetRequester(r, c),
		Request:           s.sheetRequest(request, a),
		ExecutingProvider: guide.ExecutingProvider{Code: c.ProviderCode, Contractor: c.Contractor, CNES: cmp.Or(c.CNES, unknownCNES)},
		Care:              sheetCare(r),
		Professionals:     sheetProfessionals(r, p),
		Notes:             sheetNotes(r),
	}
}

// authorizedAt is the date that is printed (4) of what was authorized; operators date other
// answers, too.
func authorizedAt(a authorization.Authorization) authorization.LocalTime {
	if a.Status.Settled() && a.Status != authorization.Denied {
		return a.AuthorizedAt
	}
	return authorization.LocalTime{}
}

// sheetRequester stands the provider in for the requester's contracted party and
// code (13, 14), which TISS wants and the interface does not name.
func sheetRequester(r authorization.Request, c Credential) guide.Requester {
	return guide.Requester{
		Code: c.ProviderCode, Contractor: c.Contractor, Name: r.RequesterName,
		Council: codeOf(councilCodes, r.RequesterCouncil), Number: r.RequesterNumber, State: codeOf(stateCodes, r.RequesterState),
		CBO: unknownCBO,
	}
}

func (s *Service) sheetRequest(request LedgerRequest, a authorization.Authorization) guide.Request {
	r := guide.Request{Urgency: characters[request.Request.CareRegime], RequestedAt: authorization.NewLocalTime(request.ReceivedAt.In(s.zone))}
	if request.Request.ClinicalIndication != nil {
		r.Indication = *request.Request.ClinicalIndication
	}
	for _, p := range a.Procedures {
		r.Procedures = append(r.Procedures, guide.Procedure{
			Table: tableOf(p.Code), Code: p.Code, Name: p.Name, Requested: p.Quantity, Authorized: authorizedQuantity(a.Status, p),
		})
	}
	return r
}

// authorizedQuantity is printed once the operator has decided.
func authorizedQuantity(s authorization.Status, p authorization.ProcedureResult) *int {
	switch s.Group() {
	case authorization.Waiting:
		return nil
	case authorization.YourTurn:
		if s != authorization.PartiallyAuthorized {
			return nil
		}
	}
	return &p.Authorized
}

// sheetCare leaves empty the type of a consultation that is no return (34: a first
// one, prenatal and by referral are told apart), the reason of an end (35) and
// occupational health (92): nobody is asked for them.
func sheetCare(r authorization.Request) guide.Care {
	care := guide.Care{Type: careTypes[r.CareType], Accident: r.AccidentType, Regime: regimeOf(r)}
	if care.Type == consultation && r.FollowUp {
		care.ConsultationType = followUp
	}
	return care
}

// sheetProfessionals names who will do it. To which lines (48) and in which degree
// of participation (49, table 35) is known when it is done.
func sheetProfessionals(r authorization.Request, p Professional) []guide.Professional {
	specialty, ok := p.specialty(r.SpecialtyID)
	if !ok {
		return nil
	}
	return []guide.Professional{{
		Name: p.Name, Council: codeOf(councilCodes, p.Council), Number: p.Number, State: codeOf(stateCodes, p.State), CBO: specialty.CBO,
	}}
}

// sheetNotes begins with the newborn, for whom the form has no field: field 10
// names whose card it is.
func sheetNotes(r authorization.Request) string {
	var notes []string
	if r.Newborn {
		notes = append(notes, fmt.Sprintf("Recém-nascido: %s, nascimento em %s.", r.NewbornName, r.NewbornBirth.Date()))
	}
	if r.Notes != nil {
		notes = append(notes, *r.Notes)
	}
	return strings.Join(notes, "\n")
}
