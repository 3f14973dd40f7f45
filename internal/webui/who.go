package webui

import (
	"context"
	"net/http"
	"strings"
	"time"

	"guiche/internal/desk"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

const (
	shownBeneficiaries = 8
	shownOperators     = 4 // beside beneficiaries
)

// operatorPatience is how long beneficiaries that were found wait for operators.
const operatorPatience = time.Second

// searchWho serves POST /busca/quem: beneficiaries of earlier requests, and operators.
func (s *deskHandlers) searchWho(c echo.Context) error {
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	list, err := s.whoList(c, values.Get("Busca"))
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, page.WhoOptions(list))
}

// whoList finds beneficiaries here, and asks the service for operators; trouble with that is
// a line of the list.
func (s *deskHandlers) whoList(c echo.Context, text string) (page.WhoList, error) {
	ctx, list := c.Request().Context(), page.WhoList{Search: text}
	found, err := s.Desk.FindBeneficiaries(ctx, s.actor(c), text, shownBeneficiaries+1)
	if err != nil {
		return list, err
	}
	if list.More = len(found) > shownBeneficiaries; list.More {
		found = found[:shownBeneficiaries]
	}
	for _, b := range found {
		list.Beneficiaries = append(list.Beneficiaries, s.beneficiaryOption(ctx, b))
	}
	if len(found) == 0 {
		list.Operators = s.credentialList(c, text)
		return list, nil
	}
	list.Operators = s.fewOperators(c, text)
	return list, nil
}

// fewOperators are the operators that stand under beneficiaries. They are left out where the
// service is slow: the field of the operator finds them too.
func (s *deskHandlers) fewOperators(c echo.Context, text string) page.CredentialList {
	ctx, cancel := context.WithTimeout(c.Request().Context(), operatorPatience)
	defer cancel()
	list := s.credentialsFound(ctx, s.actor(c), text, s.Desk.SearchCredentials) // the trail tells of the whole search already
	if list.Problem != "" {
		return page.CredentialList{}
	}
	if len(list.Items) > shownOperators {
		list.More += len(list.Items) - shownOperators
		list.Items = list.Items[:shownOperators]
	}
	return list
}

// beneficiaryOption shows a beneficiary with what tells two of the same name apart.
func (s *deskHandlers) beneficiaryOption(ctx context.Context, b desk.Beneficiary) page.BeneficiaryOption {
	r := b.Request
	option := page.BeneficiaryOption{ID: b.Last.UID.String(), Name: r.BeneficiaryName, Card: r.CardNumber, Fields: b.Facts(),
		Operator: page.CredentialOption{ID: r.CredentialID.String(), Name: b.Names.Credential}}
	if known, err := s.Directory.Credential(ctx, r.CredentialID); err == nil {
		option.Operator.Name, option.Operator.ProviderCode, option.Operator.Biometrics = known.Name, known.ProviderCode, known.Biometrics
	}
	facts := []string{option.Operator.Name, shortCard(r.CardNumber)}
	if until := r.CardValidity; !until.IsZero() {
		facts = append(facts, "validade "+until.Date())
		option.Expired = s.Desk.CardExpired(until)
	}
	if r.BeneficiaryPlan != "" {
		facts = append(facts, r.BeneficiaryPlan)
	}
	option.Facts = strings.Join(facts, " · ")
	if !b.Last.CreatedAt.IsZero() {
		option.Last = "Último pedido em " + s.day(b.Last.CreatedAt) + ": " + b.Last.ProcedureName + ", " +
			strings.ToLower(situation(b.Last.CaseState).Label)
	}
	return option
}

func (s *deskHandlers) day(t time.Time) string { return t.In(s.Zone).Format("02/01/2006") }

// latestCases adds to the state of a draft the latest cases with its card, what was sent with
// them, and under which other name the card was used last.
func (s *deskHandlers) latestCases(c echo.Context, d desk.Draft, state *page.DraftState) error {
	found, err := s.Desk.LatestOf(c.Request().Context(), s.actor(c), d)
	if err != nil {
		return ignoringPassing(err) // the form is shown without them
	}
	for _, l := range found {
		latest := page.LatestCase{Href: "/casos/" + l.UID.String(), Procedure: l.ProcedureName, Day: s.day(l.CreatedAt),
			Situation: situation(l.CaseState), Draft: d.UID.String()}
		if copies := copyActions(l, latest.Href); len(copies) > 0 && !isThatCopy(d, l, copies[len(copies)-1]) {
			latest.Copy = copies[len(copies)-1]
		}
		state.Latest = append(state.Latest, latest)
	}
	typed := d.Form.Values["nomeBeneficiario"]
	if len(found) > 0 && strings.TrimSpace(typed) != "" && !desk.SameName(typed, found[0].BeneficiaryName) {
		state.KnownAs = found[0].BeneficiaryName
	}
	state.Sent, err = s.sentFiles(c, d, found)
	return err
}

// isThatCopy reports whether a draft is already what an action would make of a case.
func isThatCopy(d desk.Draft, c desk.CaseSummary, action page.Action) bool {
	kind := c.CopyKind()
	if strings.HasSuffix(action.Path, "/repetir") {
		kind = desk.Repetition
	}
	return d.Previous == c.UID && d.Copy == kind
}

// searchRequesters serves POST /busca/solicitantes.
func (s *deskHandlers) searchRequesters(c echo.Context) error {
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	list := page.RequesterList{Search: values.Get("Busca")}
	found, err := s.Desk.FindRequesters(c.Request().Context(), s.actor(c), list.Search, shownBeneficiaries)
	if err != nil {
		return err
	}
	for _, r := range found {
		list.Items = append(list.Items, page.RequesterOption(r))
	}
	return s.render(c, http.StatusOK, page.RequesterOptions(list))
}

// asksWho reports whether "Quem é?" is searched without a script: by its button, or by Enter
// in it while no operator is chosen.
func asksWho(in form.Request) bool {
	return in.Button == form.ButtonWho ||
		in.Button == "" && in.Form.Values["credencialId"] == "" && strings.TrimSpace(in.Who) != ""
}

// whoInForm is the search of the form's button. It counts as any other.
func (s *deskHandlers) whoInForm(c echo.Context, text string) (page.WhoList, error) {
	if err := s.Accounts.CountSearch(s.current(c).UID, s.clock()); err != nil {
		return page.WhoList{Search: text, Operators: page.CredentialList{Problem: s.searchTrouble(c.Request().Context(), err)}}, nil
	}
	return s.whoList(c, text)
}

// filled is the form with what was chosen without a script: the beneficiary of a case, or a
// credential.
func (s *deskHandlers) filled(c echo.Context, in form.Request) (desk.Form, error) {
	id, operator := strings.CutPrefix(in.Chosen, "operadora:")
	if in.Button != form.ButtonFill || uuid.Validate(id) != nil {
		return in.Form, nil //nolint:nilerr // nothing was chosen
	}
	if operator {
		usual, err := s.usualParties(c.Request().Context(), s.actor(c), id)
		if err != nil {
			return in.Form, err
		}
		in.Form.Values["credencialId"] = id
		desk.FillParties(in.Form, usual)
		return in.Form, nil
	}
	known, err := s.Desk.KnownBeneficiary(c.Request().Context(), s.actor(c), uuid.MustParse(id))
	if err != nil {
		return in.Form, ignoringMissing(err)
	}
	known.Fill(in.Form)
	return in.Form, nil
}
