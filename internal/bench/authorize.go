package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// partner asks the embedded service of a demonstration for authorizations.
type partner struct {
	Options
	table   *Table
	program *process
	key     string
	made    atomic.Int64
}

// authorizations measures the embedded service: guide and all, committed before it is
// answered.
func authorizations(ctx context.Context, o Options, t *Table) (err error) {
	folder := o.Few + ".demo"
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	p := &partner{Options: o, table: t}
	p.program, err = start(ctx, nil, o.Binary, "demo", "--addr", "127.0.0.1:0", "--data", folder, "--min-free-mb", "1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.program.stop(), os.RemoveAll(folder)) }()
	if p.key, err = accessOf(ctx, folder); err != nil {
		return err
	}
	if _, err := p.program.firstAnswer(ctx, "/readyz"); err != nil { // once the demonstration has made its past
		return err
	}
	p.program.quiet(p.settling())
	if _, err := oneByOne(p.program.address, [][]byte{p.next(), p.next()}); err != nil {
		return err
	}
	if err := p.overBare(ctx, folder); err != nil {
		return err
	}
	return p.rates()
}

// accessOf waits for the file in which a demonstration says its access.
func accessOf(ctx context.Context, folder string) (string, error) {
	var said struct {
		APIKey string `json:"api_key"`
	}
	for ctx.Err() == nil {
		text, err := os.ReadFile(filepath.Join(folder, "demo.json"))
		if err == nil && json.Unmarshal(text, &said) == nil && said.APIKey != "" {
			return said.APIKey, nil
		}
		pause(ctx, 20*time.Millisecond)
	}
	return "", ctx.Err()
}

// demoID is how a demonstration names its lists.
func demoID(kind, name string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("guiche:demo:"+kind+":"+name)).String()
}

// next is a request that was not made before.
func (p *partner) next() []byte {
	body := fmt.Sprintf(`{"credencialId":%q,"numeroCarteira":"0310004512063345","nomeBeneficiario":"HELENA DUARTE CANARIO",`+
		`"nomeSolicitante":"Caio Leme","siglaConselhoSolicitante":"CRM","crmSolicitante":"104552","ufSolicitante":"SP",`+
		`"unidadeId":%q,"pontoAtendimentoId":%q,"profissionalExecutanteId":%q,"especialidadeExecutanteId":1,`+
		`"guiaPrestador":"bench-%d","procedimentos":[{"nomeProcedimento":"TSH","codigoProcedimento":"40316521","quantidade":1}]}`,
		demoID("credential", "Aroeira Planos"), demoID("unit", "Centro"), demoID("point", "Centro/Balcão 1"),
		demoID("professional", "Dra. Elisa Monteverde"), p.made.Add(1))
	return posted(p.program.address, "/api/v2/autorizar/sp-sadt", []byte(body), "X-Api-Key: "+p.key)
}

// overBare compares an authorization with a bare answer of the same bytes.
func (p *partner) overBare(ctx context.Context, folder string) (err error) {
	c, err := dial(p.program.address)
	if err != nil {
		return err
	}
	_, size, err := c.ask(p.next())
	if err = errors.Join(err, c.Close()); err != nil {
		return err
	}
	bare, err := p.bare(ctx, folder, make([]byte, size))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.stop()) }()
	var own times
	ratio, err := compare(p.rounds(), func() (float64, error) {
		took, err := oneByOne(p.program.address, p.some(p.asked()))
		own = append(own, took...)
		return took.ms(50), err
	}, func() (float64, error) {
		took, err := oneByOne(bare.address, p.some(p.asked()))
		return took.ms(50), err
	})
	if err == nil {
		p.table.add("authorization p50", own.ms(50), "ms", none)
		p.table.add("authorization over bare answer, p50", ratio, "x", atMost(12))
	}
	return err
}

func (p *partner) some(n int) (all [][]byte) {
	for range n {
		all = append(all, p.next())
	}
	return all
}

// rates are the authorizations in a second with so many callers at the same time.
func (p *partner) rates() error {
	for _, crowd := range []struct {
		callers int
		least   float64
	}{{1, 300}, {8, 750}, {64, 850}} {
		var rates []float64
		for range p.rounds() {
			rate, err := loop(p.program.address, p.next, crowd.callers, 2*p.turn())
			if err != nil {
				return err
			}
			rates = append(rates, rate)
		}
		name := fmt.Sprintf("authorizations a second with %d callers", crowd.callers)
		if crowd.callers == 1 {
			name = "authorizations a second with 1 caller"
		}
		p.table.add(name, median(rates), "", atLeast(crowd.least))
	}
	return nil
}
