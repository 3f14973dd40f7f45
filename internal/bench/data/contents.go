package data

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/guide"
)

// How many different files there are: many cases name the same.
const (
	guides  = 160
	orders  = 60
	answers = 120
)

// store writes the files that cases name.
func (g *generator) store(ctx context.Context, to *files.Store, r *rand.Rand) (err error) {
	if g.guides, err = put(ctx, to, guides, func(n int) ([]byte, error) { return drawn(n, "Guia", r) }); err != nil {
		return err
	}
	if g.orders, err = put(ctx, to, orders, func(n int) ([]byte, error) { return drawn(n, "Pedido", r) }); err != nil {
		return err
	}
	g.answers, err = put(ctx, to, answers, func(n int) ([]byte, error) { return rawAnswer(n, r), nil })
	return err
}

func put(ctx context.Context, to *files.Store, n int, make func(int) ([]byte, error)) (all []blob.Info, err error) {
	for i := range n {
		content, err := make(i)
		if err != nil {
			return nil, err
		}
		info, err := to.Put(ctx, bytes.NewReader(content))
		if err != nil {
			return nil, err
		}
		all = append(all, info)
	}
	return all, nil
}

// drawn is a PDF of one page.
func drawn(n int, what string, r *rand.Rand) ([]byte, error) {
	var b bytes.Buffer
	one := 1
	err := guide.Write(&b, guide.Sheet{
		Operator: what + " de medida", IssuedAt: authorization.DateOf(2026, time.January, 1+n%28), ANSRegister: "000000",
		ProviderGuide: fmt.Sprintf("%020d", n), Senha: fmt.Sprintf("A%08d", r.IntN(1e8)),
		Beneficiary: guide.Beneficiary{Card: fmt.Sprintf("%016d", n), Name: name(r)},
		Requester:   guide.Requester{Name: name(r), Council: "06", Number: "61000", State: "35"},
		Request:     guide.Request{Procedures: []guide.Procedure{{Table: "22", Code: "40316521", Name: "TSH", Requested: 1, Authorized: &one}}},
	})
	return b.Bytes(), err
}

// rawAnswer is a body of some kilobytes. Pages show what was read of answers, not these.
func rawAnswer(n int, r *rand.Rand) []byte {
	return fmt.Appendf(nil, `{"sucesso":true,"data":{"autorizacoes":[{"numeroAutorizacao":%d,"situacaoAutorizacao":"A","observacao":%q}]}}`,
		n+1, strings.Repeat(name(r)+" ", 40+r.IntN(60)))
}
