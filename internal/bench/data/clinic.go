package data

import (
	"fmt"
	"math/rand/v2"

	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/directory/catalogue"

	"github.com/google/uuid"
)

// clinic is what stands in the lists of the installation, with how often each is named.
type clinic struct {
	units         weighted[directory.Unit]
	credentials   weighted[directory.Credential]
	professionals []directory.Professional
	procedures    weighted[directory.Procedure]
	senders       map[uuid.UUID][]desk.Author // by unit
	requesters    []string
}

// Numbers of a clinic.
const (
	procedures = 150 // that are asked for
	requesters = 400 // physicians who ask
)

// id is the same for the same words at every run.
func id(words ...any) uuid.UUID {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("guiche:bench:"+fmt.Sprint(words...)))
}

func newClinic(r *rand.Rand) *clinic {
	c := &clinic{senders: map[uuid.UUID][]desk.Author{}}
	for i, u := range []struct {
		name   string
		points int
		weight int
	}{
		{"Centro", 4, 40}, {"Jardim das Acácias", 3, 22}, {"Vila Mariana", 2, 15}, {"Santo Amaro", 2, 11}, {"Tatuapé", 2, 8},
		{"Hospital Beira-Rio", 1, 4},
	} {
		unit := directory.Unit{UID: id("unit", i), Name: u.name, Active: true}
		for p := range u.points {
			point := directory.CarePoint{UID: id("point", i, p), Name: fmt.Sprintf("Balcão %d", p+1), Active: true}
			unit.CarePoints = append(unit.CarePoints, point)
		}
		c.units.add(u.weight, unit)
	}
	for i, o := range []struct {
		name   string
		weight int
	}{{"Aroeira Planos", 38}, {"Boa Guarida", 27}, {"Jequitibá Saúde", 18}, {"Silverado Assistência", 11}, {"Vale Sereno", 6}} {
		c.credentials.add(o.weight, directory.Credential{UID: id("credential", i), EligibilityID: id("eligibility", i), Name: o.name,
			ProviderCode: fmt.Sprintf("%06d", 310440+i*7919), Active: true})
	}
	c.addPeople(r)
	for i, p := range pick(r, catalogue.Procedures(), procedures) {
		c.procedures.add(6000/(i+8), directory.Procedure{Code: p.Code, Name: p.Name, Aliases: p.Aliases, Active: true})
	}
	return c
}

// addPeople adds who executes, who asks and who types.
func (c *clinic) addPeople(r *rand.Rand) {
	for i, s := range []directory.Specialty{
		{ID: 1, Name: "Radiologia e diagnóstico por imagem", CBO: "225320"}, {ID: 2, Name: "Patologia clínica", CBO: "225335"},
		{ID: 3, Name: "Cardiologia", CBO: "225120"}, {ID: 4, Name: "Clínica médica", CBO: "225125"},
		{ID: 5, Name: "Ortopedia", CBO: "225270"}, {ID: 6, Name: "Fisioterapia", CBO: "223605"},
	} {
		for n := range 2 {
			c.professionals = append(c.professionals, directory.Professional{UID: id("professional", i, n), Name: "Dra. " + name(r),
				Council: "CRM", CouncilNumber: fmt.Sprint(80100 + i*731 + n), State: "SP", Specialties: []directory.Specialty{s}, Active: true})
		}
	}
	for range requesters {
		c.requesters = append(c.requesters, name(r))
	}
}

// pick returns n of all, in any order.
func pick[T any](r *rand.Rand, all []T, n int) []T {
	picked := make([]T, n)
	for i, at := range r.Perm(len(all))[:n] {
		picked[i] = all[at]
	}
	return picked
}

// patient is somebody who comes more than once.
type patient struct {
	name, card, plan string
	credential       directory.Credential
}

// patient returns the n-th patient.
func (c *clinic) patient(seed uint64, n int) patient {
	r := rand.New(rand.NewPCG(seed, uint64(n))) //nolint:gosec // no secret
	p := patient{name: name(r), credential: c.credentials.draw(r)}
	p.plan = []string{"Essencial Enfermaria", "Pleno Apartamento", "Empresarial Nacional", "Família", "Sênior"}[r.IntN(5)]
	p.card = fmt.Sprintf("%s%010d", p.credential.ProviderCode[2:], r.Int64N(1e10))
	return p
}
