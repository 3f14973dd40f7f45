package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/directorystore"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func TestDesk_Review(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	t.Run("OK", func(t *testing.T) {
		d := f.MustDraft(t, ana, nil)
		a, err := f.Attach(ctx, ana, d.UID, "pedido.png", picture(t, 1))
		MustDo(t, err)
		r, err := f.Review(ctx, ana, d.UID)
		MustDo(t, err)
		want := desk.Names{Credential: "Vale Sereno", Unit: "Centro", CarePoint: "Balcão 2", Professional: "Elisa Monteverde",
			Specialty: "Radiologia"}
		if r.Names != want || r.Draft != d.UID || r.Version != 1 || r.Size != a.Size || r.Warnings != nil {
			t.Errorf("got %+v, want names %+v and no warnings", r, want)
		}
		if got := r.Request.Attachments; len(got) != 1 || got[0] != a.Attachment {
			t.Errorf("attachments of the request: got %+v", got)
		}
	})
	t.Run("ErrOtherUser", func(t *testing.T) {
		if _, err := f.Review(ctx, bia, f.MustDraft(t, ana, nil).UID); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v, want not found", err)
		}
	})
}

func TestDesk_ReviewProblems(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	r := directory.New(directorystore.New(f.db, f.trail))
	strict := uuid.MustParse("01970000-0000-7000-8000-000000000032")
	MustDo(t, r.PutCredential(t.Context(), directory.Credential{UID: strict, Name: "Jequitibá", CardPattern: `\d{17}`,
		ValidityRequired: true, Active: true}))
	for _, tc := range []struct {
		name   string
		actor  permission.Actor
		change map[string]string
		want   []string
	}{
		{"AllAtOnce", ana, map[string]string{"nomeBeneficiario": " ", "validadeCarteira": "31022027", "unidadeId": "", "pontoAtendimentoId": ""},
			[]string{"validadeCarteira formato", "nomeBeneficiario obrigatorio", "unidadeId obrigatorio", "pontoAtendimentoId obrigatorio"}},
		{"UnitOfOthers", ana, map[string]string{"unidadeId": praiaID.String(), "pontoAtendimentoId": areiaID.String()},
			[]string{"unidadeId dominio"}},
		{"UnitOfAll", celia, map[string]string{"unidadeId": praiaID.String(), "pontoAtendimentoId": areiaID.String()}, nil},
		{"CarePointOfAnotherUnit", ana, map[string]string{"pontoAtendimentoId": areiaID.String()}, []string{"pontoAtendimentoId dominio"}},
		{"SpecialtyOfNobody", ana, map[string]string{"especialidadeExecutanteId": "99"}, []string{"especialidadeExecutanteId dominio"}},
		{"CredentialNeverSeen", ana, map[string]string{"credencialId": doctorID.String()}, []string{"credencialId dominio"}},
		{"RulesOfTheCredential", ana, map[string]string{"credencialId": " " + strict.String(), "validadeCarteira": ""},
			[]string{"numeroCarteira formato", "validadeCarteira obrigatorio"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := f.MustDraft(t, tc.actor, tc.change)
			for what, err := range map[string]error{
				"review": second(f.Review(t.Context(), tc.actor, d.UID)), "submit": second(f.Submit(t.Context(), tc.actor, d.UID)),
			} {
				if got := paths(problem.FieldsOf(err)); !slices.Equal(got, tc.want) {
					t.Errorf("%s: got %v (%v), want %v", what, got, err, tc.want)
				}
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }

func TestDesk_ReviewWarnings(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	kinds := func(a permission.Actor, change map[string]string) []desk.Warning {
		t.Helper()
		d := f.MustDraft(t, a, change)
		r, err := f.Review(context.Background(), a, d.UID)
		MustDo(t, err)
		return r.Warnings
	}
	none := desk.Warning{Kind: desk.WarnNoAttachment, Field: "anexos", Message: "Nenhum anexo. Confira se falta o pedido médico."}

	expired := desk.Warning{Kind: desk.WarnCardExpired, Field: "validadeCarteira", Message: "A carteira venceu em 19/11/2026."}
	if diff := cmp.Diff(kinds(ana, map[string]string{"validadeCarteira": "19112026"}), []desk.Warning{expired, none}); diff != "" {
		t.Errorf("card of yesterday: got, want\n%s", diff)
	}
	if diff := cmp.Diff(kinds(ana, map[string]string{"validadeCarteira": "20112026"}), []desk.Warning{none}); diff != "" {
		t.Errorf("card of today: got, want\n%s", diff)
	}

	earlier := f.MustSubmit(t, ana, nil)
	repeated := desk.Warning{Kind: desk.WarnRepeated, Field: "procedimentos", Case: earlier,
		Message: "Este mesmo pedido já foi enviado para esta carteira em 20/11/2026, às 14:02, e ainda espera resposta."}
	if diff := cmp.Diff(kinds(ana, nil), []desk.Warning{repeated, none}); diff != "" {
		t.Errorf("sent today: got, want\n%s", diff)
	}
	repeated.Case, repeated.Message = uuid.Nil, "Este mesmo pedido já foi enviado para esta carteira em 20/11/2026, às 14:02."
	if diff := cmp.Diff(kinds(bia, nil), []desk.Warning{repeated, none}); diff != "" {
		t.Errorf("sent by another unit: got, want no link\n%s", diff)
	}
	if diff := cmp.Diff(kinds(ana, map[string]string{"numeroCarteira": "1"}), []desk.Warning{none}); diff != "" {
		t.Errorf("another card: got, want\n%s", diff)
	}
	f.clock.Advance(7*24*time.Hour + time.Second)
	if diff := cmp.Diff(kinds(ana, nil), []desk.Warning{none}); diff != "" {
		t.Errorf("sent more than seven days ago: got, want\n%s", diff)
	}

	withdrawn := f.MustSubmit(t, ana, nil)
	MustDo(t, f.Withdraw(ctx, ana, withdrawn))
	if diff := cmp.Diff(kinds(ana, nil), []desk.Warning{none}); diff != "" {
		t.Errorf("withdrawn: got, want\n%s", diff)
	}
	copied, err := f.CopyToDraft(ctx, ana, withdrawn)
	MustDo(t, err)
	latest := f.MustSubmit(t, ana, nil)
	r, err := f.Review(ctx, ana, copied.UID)
	MustDo(t, err)
	if len(r.Warnings) != 2 || r.Warnings[0].Case != latest || r.Previous != withdrawn {
		t.Errorf("copy: got %+v, want a warning about %v", r.Warnings, latest)
	}
}

// TestDesk_ReviewWarnings_Letters: where the settings of the credential say how its cards
// look, a card that looks so is asked about no more.
func TestDesk_ReviewWarnings_Letters(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	r := directory.New(directorystore.New(f.db, f.trail))
	lettered := uuid.MustParse("01970000-0000-7000-8000-000000000033")
	MustDo(t, r.PutCredential(ctx, directory.Credential{UID: lettered, Name: "Jequitibá", CardPattern: `[A-Z]\d{3}`, Active: true}))
	for name, tt := range map[string]struct {
		change map[string]string
		want   []desk.WarningKind
	}{
		"Digits":   {map[string]string{"numeroCarteira": "0042 7.7-1/1"}, nil},
		"Card":     {map[string]string{"numeroCarteira": "A123"}, []desk.WarningKind{desk.WarnCardLetters}},
		"Accent":   {map[string]string{"numeroCarteira": "é123"}, []desk.WarningKind{desk.WarnCardLetters}},
		"Expected": {map[string]string{"numeroCarteira": "A123", "credencialId": lettered.String()}, nil},
		"Council":  {map[string]string{"crmSolicitante": "abc"}, []desk.WarningKind{desk.WarnCouncilLetters}},
		"Both": {map[string]string{"numeroCarteira": "x", "crmSolicitante": "y"},
			[]desk.WarningKind{desk.WarnCardLetters, desk.WarnCouncilLetters}},
	} {
		t.Run(name, func(t *testing.T) {
			review, err := f.Review(ctx, ana, f.MustDraft(t, ana, tt.change).UID)
			MustDo(t, err)
			var got []desk.WarningKind
			for _, w := range review.Warnings {
				if w.Kind != desk.WarnNoAttachment {
					got = append(got, w.Kind)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestDesk_ReviewWarnings_UnknownCode: a code that is not in the register, or no more, is asked about until the
// operator has answered requests with it.
func TestDesk_ReviewWarnings_UnknownCode(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	MustDo(t, f.config.Directory.(*directory.Directory).PutProcedures(ctx, directory.Procedure{Code: "31309054", Name: "Cerclagem"}))
	for code, want := range map[string]string{
		"40901122": "", "xpto": "O código xpto não está", "31309054": "O código 31309054 não está",
	} {
		t.Run(code, func(t *testing.T) {
			form := fullForm()
			form.Procedures = []desk.ProcedureRow{{Code: code, Name: "Exame", Quantity: "1"}}
			draft, err := f.SaveDraft(ctx, ana, MustUID(t), form, 0)
			MustDo(t, err)
			review, err := f.Review(ctx, ana, draft.UID)
			MustDo(t, err)
			var got string
			for _, w := range review.Warnings {
				if w.Kind == desk.WarnUnknownCode && w.Field == "procedimentos[0].codigoProcedimento" {
					got = w.Message
				}
			}
			if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestDesk_FindCredentials(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	seen := uuid.MustParse("01970000-0000-7000-8000-000000000039")
	f.service.found = []authorization.Credential{{ID: seen.String(), Name: "Aroeira Planos"}}
	found, err := f.FindCredentials(ctx, ana, "aro")
	if err != nil || len(found) != 1 {
		t.Fatalf("got %v, %v", found, err)
	}
	if _, err := f.Review(ctx, ana, f.MustDraft(t, ana, map[string]string{"credencialId": seen.String()}).UID); err != nil {
		t.Errorf("review with what was found: got %v", err)
	}
	f.service.findErr = problem.New(problem.Unavailable, "Configure o serviço de autorização.")
	if _, err := f.FindCredentials(ctx, ana, "aro"); !problem.Is(err, problem.Unavailable) {
		t.Errorf("without a service: got %v, want unavailable", err)
	}
}
