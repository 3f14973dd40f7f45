package app

import (
	"guiche/internal/directory"
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// The demo's passwords are shown on its login page.
const (
	receptionPassword      = "balcao-demo"
	supervisionPassword    = "painel-demo"
	administrationPassword = "cadastro-demo"
)

// Login is one of the demo's logins.
type Login struct {
	Role     string `json:"role"`
	User     string `json:"user"`
	Password string `json:"password"`
	name     string
}

// demoLogins are the people of the demo, one for each role.
func demoLogins() []Login {
	return []Login{
		{Role: string(permission.Reception), User: "ana", Password: receptionPassword, name: "Ana Prado"},
		{Role: string(permission.Supervision), User: "celia", Password: supervisionPassword, name: "Célia Nunes"},
		{Role: string(permission.Administration), User: "rui", Password: administrationPassword, name: "Rui Barreto"},
	}
}

// demoID returns the same identifier for the same thing at every start, so that
// desk and service name it alike.
func demoID(kind, name string) uuid.UUID {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("guiche:demo:"+kind+":"+name))
}

// demoUnit makes a unit whose identifiers follow from its name: the desk and the
// embedded service know it by the same ones, without asking each other.
func demoUnit(name string, points ...string) directory.Unit {
	u := directory.Unit{UID: demoID("unit", name), Name: name, Active: true}
	for _, p := range points {
		u.CarePoints = append(u.CarePoints, directory.CarePoint{UID: demoID("point", name+"/"+p), Name: p, Active: true})
	}
	return u
}

// demoUnits are the demo's units; the second has a single care point, which a form fills
// in by itself.
func demoUnits() []directory.Unit {
	return []directory.Unit{
		demoUnit("Centro", "Balcão 1", "Balcão 2"),
		demoUnit("Jardim das Acácias", "Recepção"),
	}
}

// demoProfessionals are the demo's professionals, with one and with two specialties.
func demoProfessionals() []directory.Professional {
	professional := func(name, council, number string, specialties ...directory.Specialty) directory.Professional {
		return directory.Professional{UID: demoID("professional", name), Name: name, Council: council, CouncilNumber: number,
			State: "SP", Specialties: specialties, Active: true}
	}
	return []directory.Professional{
		professional("Dra. Elisa Monteverde", "CRM", "88213",
			directory.Specialty{ID: 1, Name: "Radiologia e diagnóstico por imagem", CBO: "225320"},
			directory.Specialty{ID: 2, Name: "Patologia clínica", CBO: "225335"}),
		professional("Dr. Ivo Sampaio", "CRM", "97120",
			directory.Specialty{ID: 3, Name: "Cardiologia", CBO: "225120"},
			directory.Specialty{ID: 4, Name: "Clínica médica", CBO: "225125"}),
		professional("Lena Brandão", "CREFITO", "41877",
			directory.Specialty{ID: 5, Name: "Fisioterapia", CBO: "223605"}),
	}
}

// demoCredentials are in the order of their names: the first asks for nothing
// special.
func demoCredentials() []directory.Credential {
	credential := func(name, code string) directory.Credential {
		return directory.Credential{UID: demoID("credential", name), Name: name, ProviderCode: code,
			EligibilityID: demoID("eligibility", name), Active: true}
	}
	aroeira := credential("Aroeira Planos", "550012")
	boa := credential("Boa Guarida", "771930")
	boa.ValidityRequired = true
	jequitiba := credential("Jequitibá Saúde", "004271")
	jequitiba.Biometrics = true
	jequitiba.BiometricsHow = "Confira o nome num documento com foto. Se o pedido voltar com “Falta biometria”, fotografe o rosto " +
		"de frente, sem óculos nem boné.\nNão deu certo: peça ao beneficiário o token do aplicativo da operadora."
	silverado := credential("Silverado Assistência", "004417")
	vale := credential("Vale Sereno", "031044")
	vale.Indication = "Investigação diagnóstica"
	return []directory.Credential{aroeira, boa, jequitiba, silverado, vale}
}

// demoAttachmentsFor are the procedures for which an operator wants the medical
// order: an abdominal ultrasound at one of them.
func demoAttachmentsFor(credential string) []string {
	if credential == "Vale Sereno" {
		return []string{"40901122"}
	}
	return nil
}
