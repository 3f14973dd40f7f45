package torture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// partner is another program that asks the authorization service itself, as one of its
// customers: one request after the other, each until it is answered.
type partner struct {
	world  *world
	client *http.Client
	at     string // address of the service
	key    string
	name   string
	dice   *dice
	known  references
	asked  []partnerRequest
}

// partnerRequest is a request, which is the same each time that it is sent.
type partnerRequest struct {
	guide    string // guiaPrestador: no other has it
	body     []byte
	answered bool
}

// references are what a request names, as the service lists it.
type references struct{ credential, unit, point, professional, specialty any }

// partnerTime is how long a partner waits for an answer before the request is repeated.
const partnerTime = 15 * time.Second

// openPartners returns the partners of several processes, nobody of one. They have the access that the
// service makes for whoever runs it.
func (w *world) openPartners(ctx context.Context) (all []*partner, err error) {
	c, several := w.process.(*cluster)
	if !several || c.c.Partners == 0 {
		return nil, nil
	}
	key, err := c.access(ctx)
	if err != nil {
		return nil, err
	}
	for i := range c.c.Partners {
		name := fmt.Sprint("P", i)
		all = append(all, &partner{world: w, at: "http://" + c.services.url, key: key, name: name,
			dice:   newDice(w.options.Seed, "partner "+name),
			client: &http.Client{Timeout: partnerTime, Transport: &http.Transport{MaxIdleConnsPerHost: 1}}})
	}
	return all, nil
}

// work asks for one authorization after the other until ctx is done.
func (p *partner) work(ctx context.Context) error {
	if err := p.learn(ctx); err != nil {
		return unlessDone(ctx, err)
	}
	for serial := 1; ctx.Err() == nil; serial++ {
		p.asked = append(p.asked, p.request(serial))
		if err := p.insist(ctx, &p.asked[len(p.asked)-1]); err != nil {
			return unlessDone(ctx, err)
		}
		pause(ctx, time.Duration(p.dice.between(20, 120))*time.Millisecond)
	}
	return nil
}

// unlessDone is an error that is none once ctx is done.
func unlessDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the run has ended
	}
	return err
}

// request is the next one; every tenth has a file.
func (p *partner) request(serial int) partnerRequest {
	guide := fmt.Sprintf("%s-%d", p.name, serial)
	files := []map[string]string{}
	if p.dice.chance(0.1) {
		files = append(files, map[string]string{"nome": guide + ".png", "base64": base64.StdEncoding.EncodeToString(picture)})
	}
	body, _ := json.Marshal(map[string]any{ // texts and numbers
		"credencialId": p.known.credential, "numeroCarteira": fmt.Sprintf("999901%08d", serial), "nomeBeneficiario": "Beneficiária de Teste",
		"nomeSolicitante": "Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
		"unidadeId": p.known.unit, "pontoAtendimentoId": p.known.point, "profissionalExecutanteId": p.known.professional,
		"especialidadeExecutanteId": p.known.specialty, "guiaPrestador": guide, "anexos": files,
		"procedimentos": []map[string]any{{"codigoProcedimento": "40316521", "nomeProcedimento": "TSH", "quantidade": 1}},
	})
	return partnerRequest{guide: guide, body: body}
}

// insist sends a request until it is answered, and sometimes once more.
func (p *partner) insist(ctx context.Context, r *partnerRequest) error {
	for !r.answered {
		if err := p.ask(ctx, r); err != nil {
			return err
		}
		pause(ctx, 50*time.Millisecond)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if p.dice.chance(0.2) {
		return p.ask(ctx, r)
	}
	return nil
}

// ask sends a request once and writes down what came of it.
func (p *partner) ask(ctx context.Context, r *partnerRequest) error {
	p.tell(Told{Act: Asked, Guide: r.guide})
	status, answer, err := p.send(ctx, http.MethodPost, "/api/v2/autorizar/sp-sadt", r.body, "Idempotency-Key", "key-"+r.guide)
	switch {
	case err != nil, notNow(status, answer):
		return nil //nolint:nilerr // nobody knows what became of it, or nothing did: it is repeated
	case status != http.StatusOK:
		return fmt.Errorf("%w: a partner's request was answered with %d: %.300s", errUnexpected, status, answer)
	}
	told, err := authorizationsOf(answer)
	if err != nil {
		return err
	}
	r.answered = true
	sum := sha256.Sum256(answer)
	for _, t := range told {
		t.Act, t.Guide, t.Sum = Answered, r.guide, hex.EncodeToString(sum[:])
		p.tell(t)
	}
	return nil
}

// notNow reports whether an answer says that the same request may come again.
func notNow(status int, answer []byte) bool {
	return status >= http.StatusInternalServerError || status == http.StatusTooManyRequests ||
		status == http.StatusConflict && bytes.Contains(answer, []byte(`"em_processamento"`))
}

// end gets an answer to what was not answered yet, and looks at all once more.
func (p *partner) end(ctx context.Context) error {
	quiet, cancel := context.WithTimeout(ctx, p.world.options.Quiet)
	defer cancel()
	for i := range p.asked {
		if err := p.insist(quiet, &p.asked[i]); err != nil && (ctx.Err() != nil || quiet.Err() == nil) {
			return err
		}
	}
	return p.lastLook(ctx)
}

// lastLook asks what the service has under the number of each request.
func (p *partner) lastLook(ctx context.Context) error {
	for _, r := range p.asked {
		answer, err := p.read(ctx, "/api/v2/autorizacoes?"+url.Values{"guiaPrestador": {r.guide}}.Encode())
		if err != nil {
			return err
		}
		found, err := itemsOf[wireAuthorization](answer)
		if err != nil {
			return err
		}
		for _, a := range found {
			t := a.told()
			t.Act, t.Guide = Listed, r.guide
			p.tell(t)
		}
	}
	return nil
}

// learn reads what requests name.
func (p *partner) learn(ctx context.Context) error {
	paths := []string{"/api/v2/credenciais?Busca=aroeira", "/api/v2/unidades", "/api/v2/profissionais-executantes"}
	var first [3]wireItem
	for i, path := range paths {
		answer, err := p.read(ctx, path)
		if err != nil {
			return err
		}
		items, err := itemsOf[wireItem](answer)
		if err != nil || len(items) == 0 {
			return fmt.Errorf("%w: nothing at %s: %.300s", errUnexpected, path, answer)
		}
		first[i] = items[0]
	}
	if len(first[1].Points) == 0 || len(first[2].Specialties) == 0 {
		return fmt.Errorf("%w: a unit without a point, or a professional without a specialty", errUnexpected)
	}
	p.known = references{first[0].ID, first[1].ID, first[1].Points[0].ID, first[2].ID, first[2].Specialties[0].ID}
	return nil
}

// read asks for something until it is answered.
func (p *partner) read(ctx context.Context, path string) ([]byte, error) {
	for ctx.Err() == nil {
		status, answer, err := p.send(ctx, http.MethodGet, path, nil)
		switch {
		case err != nil, notNow(status, answer):
		case status == http.StatusOK:
			return answer, nil
		default:
			return nil, fmt.Errorf("%w: %d at %s: %.300s", errUnexpected, status, shape(path), answer)
		}
		pause(ctx, 50*time.Millisecond)
	}
	return nil, ctx.Err()
}

// send makes one request; header are names and values.
func (p *partner) send(ctx context.Context, method, path string, body []byte, header ...string) (status int, answer []byte, err error) {
	r, err := http.NewRequestWithContext(ctx, method, p.at+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("X-Api-Key", p.key)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := p.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = res.Body.Close() }() // read to its end
	answer, err = io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= http.StatusInternalServerError {
		p.world.trouble(fmt.Sprintf("%d at %s %s", res.StatusCode, method, r.URL.Path))
	}
	return res.StatusCode, answer, err
}

func (p *partner) tell(t Told) {
	t.At = time.Since(p.world.began)
	p.world.told.add(t)
}

// wireItem is an item of a list of the service.
type wireItem struct {
	ID          any        `json:"id"`
	Points      []wireItem `json:"pontosAtendimento"`
	Specialties []wireItem `json:"especialidades"`
}

// wireAuthorization is an authorization as the service tells of it.
type wireAuthorization struct {
	GuideID string `json:"guiaId"`
	Senha   string `json:"senha"`
}

func (a wireAuthorization) told() Told { return Told{GuideID: a.GuideID, Senha: a.Senha} }

// itemsOf reads the items of a list.
func itemsOf[T any](answer []byte) ([]T, error) {
	data, err := dataOf[struct {
		Items []T `json:"items"`
	}](answer)
	return data.Items, err
}

// authorizationsOf reads an answer.
func authorizationsOf(answer []byte) (all []Told, err error) {
	data, err := dataOf[struct {
		Authorizations []wireAuthorization `json:"autorizacoes"`
	}](answer)
	if err != nil {
		return nil, err
	}
	for _, a := range data.Authorizations {
		all = append(all, a.told())
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: an answer without an authorization: %.300s", errUnexpected, answer)
	}
	return all, nil
}

// dataOf reads what the envelope of an answer holds.
func dataOf[T any](answer []byte) (T, error) {
	var read struct {
		Data T `json:"data"`
	}
	if err := json.Unmarshal(answer, &read); err != nil {
		return read.Data, fmt.Errorf("torture: an answer: %w", err)
	}
	return read.Data, nil
}
