package data

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/store/deskstore"

	"github.com/google/uuid"
)

// generator makes cases, oldest first: the same for the same seed and end.
type generator struct {
	seed     uint64
	cases    int
	from     time.Time
	until    time.Time
	zone     *time.Location
	clinic   *clinic
	patients int

	guides, orders, answers []blob.Info // what was stored in advance
	latest                  map[int]deskstore.Past
}

// perPatient is how often a patient comes, on the average.
const perPatient = 5

// installation is the part of the numbers of guides that tells installations apart.
const installation = 417

// batch makes cases number first and following.
func (g *generator) batch(first, n int) []deskstore.Past {
	cases := make([]deskstore.Past, n)
	for i := range cases {
		cases[i] = g.one(first + i)
	}
	return cases
}

// one makes a case. Some patients come much more often than others.
func (g *generator) one(n int) deskstore.Past {
	r := rand.New(rand.NewPCG(g.seed+1, uint64(n))) //nolint:gosec // no secret
	share := r.Float64()
	who := int(share * share * float64(g.patients))
	p := g.clinic.patient(g.seed, who)
	unit := g.clinic.units.draw(r)
	sender := g.clinic.senders[unit.UID][r.IntN(len(g.clinic.senders[unit.UID]))]
	at := g.at(n, r)
	s := desk.Submission{
		UID: ordered(at, r), Token: ordered(at.Add(-time.Minute), r), Sender: sender, IdempotencyKey: random(r).String(),
		At: at.In(g.zone), Deadline: at.Add(30 * time.Minute), RequestID: random(r).String(),
		Request: g.request(n, p, unit, at, r), Attachments: g.attachments(at, r),
	}
	s.Names = g.names(s.Request, p, unit)
	g.correct(&s, who, r)
	past := deskstore.Past{Submission: s, To: desk.Recipient{Name: "embutido", Keyed: true},
		Entry: audit.Entry{At: at, Actor: sender.User, Event: audit.RequestSubmitted, Object: audit.ObjectCase, ObjectID: s.UID}}
	g.end(&past, r)
	g.latest[who%keptLatest] = past
	return past
}

// keptLatest bounds of how many patients the latest case is remembered.
const keptLatest = 4096

// correct has some requests correct one that was refused.
func (g *generator) correct(s *desk.Submission, who int, r *rand.Rand) {
	before, ok := g.latest[who%keptLatest]
	if !ok || before.Submission.Request.CardNumber != s.Request.CardNumber || r.IntN(3) > 0 {
		return
	}
	switch before.Settlement.Group {
	case authorization.ToFix, authorization.Refusal:
		s.Previous, s.Copy = before.Submission.UID, desk.Correction
	}
}

// at is when a case was sent: one after the other, most in the morning of a day of work.
func (g *generator) at(n int, r *rand.Rand) time.Time {
	step := float64(g.until.Sub(g.from)) / float64(g.cases)
	t := g.from.Add(time.Duration(step * (float64(n) + 0.9*r.Float64()))).In(g.zone)
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, g.zone)
	share := t.Sub(day).Hours() / 24
	open := day.Add(7*time.Hour + time.Duration(share*11*float64(time.Hour))) // from seven to six, in the same order
	if open.After(g.until) {
		return t.Truncate(time.Microsecond) // today, what is still to come is now
	}
	return open.Truncate(time.Microsecond)
}

func (g *generator) request(n int, p patient, unit directory.Unit, at time.Time, r *rand.Rand) authorization.Request {
	executant := g.clinic.professionals[r.IntN(len(g.clinic.professionals))]
	by := r.IntN(len(g.clinic.requesters))
	indication := []string{"Investigação diagnóstica", "Controle", "Dor a esclarecer", "Pré-operatório", "Rotina"}[r.IntN(5)]
	q := authorization.Request{
		CredentialID: p.credential.UID, CardNumber: p.card, BeneficiaryName: p.name, BeneficiaryPlan: p.plan,
		UnitID: unit.UID, CarePointID: unit.CarePoints[r.IntN(len(unit.CarePoints))].UID, PatientPresent: r.IntN(4) == 0,
		RequesterName: g.clinic.requesters[by], RequesterCouncil: "CRM", RequesterNumber: fmt.Sprint(61000 + by), RequesterState: "SP",
		ProfessionalID: executant.UID, SpecialtyID: executant.Specialties[0].ID, AccidentType: "9", CareRegime: "E", CareType: "05",
		ProviderGuide: desk.ProviderGuide(at.In(g.zone), installation, int64(n)), ClinicalIndication: &indication,
		ContactName: p.name, ContactAreaCode: "11", ContactPhone: "9" + p.card[len(p.card)-8:],
	}
	if r.IntN(60) == 0 {
		q.Newborn, q.NewbornName, q.NewbornBirth = true, "RN de "+p.name, dateOf(at.AddDate(0, 0, -9))
	}
	for asked := g.howMany(r); len(q.Procedures) < asked; {
		d := g.clinic.procedures.draw(r)
		q.Procedures = append(q.Procedures, authorization.Procedure{Code: d.Code, Name: d.Name, Quantity: 1 + r.IntN(8)/7*9})
	}
	return q
}

// howMany procedures a request has: most have one.
func (g *generator) howMany(r *rand.Rand) int {
	switch dice := r.IntN(100); {
	case dice < 62:
		return 1
	case dice < 80:
		return 2
	case dice < 90:
		return 3
	default:
		return 4 + r.IntN(4)
	}
}

func (g *generator) names(q authorization.Request, p patient, unit directory.Unit) desk.Names {
	names := desk.Names{Credential: p.credential.Name, Unit: unit.Name}
	point, _ := unit.CarePoint(q.CarePointID)
	names.CarePoint = point.Name
	for _, d := range g.clinic.professionals {
		if d.UID == q.ProfessionalID {
			names.Professional, names.Specialty = d.Name, d.Specialties[0].Name
		}
	}
	return names
}

// attachments of a request: every third has the medical order.
func (g *generator) attachments(at time.Time, r *rand.Rand) []desk.Attachment {
	if r.IntN(3) > 0 {
		return nil
	}
	stored := g.orders[r.IntN(len(g.orders))]
	return []desk.Attachment{{UID: ordered(at, r), Attachment: authorization.Attachment{
		Name: "pedido-medico.pdf", ContentType: "application/pdf", Size: stored.Size, Blob: stored.Ref}}}
}

// ordered is an identifier as the program makes them: those of later times are greater.
func ordered(at time.Time, r *rand.Rand) uuid.UUID {
	u := random(r)
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli())<<16) // after 1970
	copy(u[:6], ms[:6])
	u[6], u[8] = 0x70|u[6]&0x0f, 0x80|u[8]&0x3f
	return u
}

// random is an identifier without an order.
func random(r *rand.Rand) (u uuid.UUID) {
	binary.BigEndian.PutUint64(u[:8], r.Uint64())
	binary.BigEndian.PutUint64(u[8:], r.Uint64())
	u[6], u[8] = 0x40|u[6]&0x0f, 0x80|u[8]&0x3f
	return u
}
