package webui_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// TestWho_Many: eight beneficiaries are listed, and four operators under them; of more the list
// says that there are some.
func TestWho_Many(t *testing.T) {
	t.Parallel()
	var operators []string
	for i := range 6 {
		operators = append(operators, fmt.Sprintf(`{"id":"01970000-0000-7000-8000-0000000000%02d","nome":"Aroeira %d","codigoPrestador":"%d"}`,
			i, i, i))
	}
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Credentials: "[" + strings.Join(operators, ",") + "]"}})
	ana := server.LogIn(t, apptest.Reception)
	request := func(place int) {
		ana.SubmitWith(map[string]string{"nomeBeneficiario": fmt.Sprintf("Aroldo %c Antunes", 'A'+place),
			"numeroCarteira": fmt.Sprintf("03100045120633%02d", place)})
	}
	search := func() (people, operators int, said string) {
		list := ana.PostHTMX("/busca/quem", url.Values{"Busca": {"aro"}})
		return list.Count("[data-fields]"), list.Count("[role=option][data-value]:not([data-fields])"),
			strings.Join(list.Texts("[role=option][aria-disabled=true]"), " | ")
	}
	const fewOperators = "e mais 2; escreva mais um pouco"
	for place := range 8 {
		request(place)
	}
	if people, operators, said := search(); people != 8 || operators != 4 || said != fewOperators {
		t.Errorf("of 8: got %d beneficiaries, %d operators and %q", people, operators, said)
	}
	request(8)
	if people, operators, said := search(); people != 8 || operators != 4 ||
		said != "e mais; escreva outro nome ou o começo da carteira | "+fewOperators {
		t.Errorf("of 9: got %d beneficiaries, %d operators and %q", people, operators, said)
	}
}
