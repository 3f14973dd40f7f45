package webui

import (
	"context"
	"net/http"
	"slices"
	"time"

	"guiche/internal/integrity"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// Integrity is the account of what is damaged in the installation.
type Integrity interface {
	Count(ctx context.Context) (int, error)
	// LastCheck returns when all was last checked, the zero time for never.
	LastCheck(ctx context.Context) (time.Time, error)
	// List returns what is damaged, newest first.
	List(ctx context.Context, limit int) ([]integrity.Damage, error)
	Remedy(ctx context.Context, d integrity.Damage) (Remedy, error)
	// Recheck looks again at what is known to be damaged and forgets what is whole.
	Recheck(ctx context.Context) error
}

// Remedy says from where something damaged can be made whole.
type Remedy struct {
	Place     string // where the whole file belongs, "" for what is no file
	Copy      string // path of a whole copy, or the name of a backup; "" where none is known
	Encrypted bool   // the copy
	InBucket  bool   // files are kept in a bucket, and backups hold no copies of them
}

const (
	integrityPath = "/integridade"
	// damageRows is how much the page shows.
	damageRows = 100
)

// integrity serves GET /integridade.
func (s *server) integrity(c echo.Context) error {
	ctx := c.Request().Context()
	frame, err := s.frame(c, "Integridade", layout.AuditTab)
	if err != nil {
		return err
	}
	frame.Alerts = slices.DeleteFunc(frame.Alerts, func(a layout.Alert) bool { return a.Link.Href == integrityPath }) // the page says it
	n, err := s.Integrity.Count(ctx)
	if err != nil {
		return err
	}
	damaged, err := s.Integrity.List(ctx, damageRows)
	if err != nil {
		return err
	}
	checked, err := s.Integrity.LastCheck(ctx)
	if err != nil {
		return err
	}
	words := "Tudo está sendo conferido pela primeira vez, sem atrapalhar o trabalho."
	if !checked.IsZero() {
		words = "Tudo foi conferido por inteiro: " + s.when(checked) + "."
	}
	view := page.IntegrityView{Page: frame, State: integrityNotice(n), Checked: words}
	for _, d := range damaged {
		row, err := s.damageRow(ctx, d)
		if err != nil {
			return err
		}
		view.Rows = append(view.Rows, row)
	}
	return s.render(c, http.StatusOK, page.IntegrityPage(view))
}

// recheck serves POST /integridade/conferir.
func (s *server) recheck(c echo.Context) error {
	if err := s.Integrity.Recheck(c.Request().Context()); err != nil {
		return err
	}
	return s.redirectTelling(c, integrityPath, "O que estava danificado foi lido de novo. O que está inteiro saiu da lista.")
}

func integrityNotice(n int) component.Notice {
	if n == 0 {
		return component.Notice{Tone: component.ToneSuccess, Icon: "check-lg", Strong: "Nenhum dano é conhecido.",
			Text: "Pedidos, respostas e arquivos são conferidos a cada leitura."}
	}
	return component.Notice{Tone: component.ToneError, Icon: "x-octagon",
		Strong: count(n, "item guardado está danificado.", "itens guardados estão danificados."),
		Text:   "Nada disso é mostrado nem enviado. O disco pode estar falhando: confira-o antes de continuar."}
}

func (s *server) damageRow(ctx context.Context, d integrity.Damage) (page.DamageRow, error) {
	row := page.DamageRow{What: "Arquivo", Name: d.Name, Since: s.when(d.Since)}
	if d.Half == integrity.Service {
		row.Where = "do serviço de autorização"
	}
	if d.Kind == integrity.Row {
		row.What = "Registro do banco de dados"
	}
	if d.Case != uuid.Nil {
		row.Case = d.Case.String()
	}
	r, err := s.Integrity.Remedy(ctx, d)
	row.Remedy, row.From, row.To = remedyWords(d, r), r.Copy, r.Place
	return row, err
}

// remedyWords say what to do; the copy and where it belongs follow them.
func remedyWords(d integrity.Damage, r Remedy) string {
	switch {
	case d.Kind == integrity.Row && r.Copy == "":
		return "Nenhuma cópia inteira de antes do dano é conhecida. Se houver uma, restaure-a com guiche restore."
	case d.Kind == integrity.Row:
		return "Pare o programa e restaure com guiche restore a cópia abaixo, que é de antes do dano e foi conferida."
	case r.InBucket:
		return "Os arquivos ficam num depósito S3, e as cópias de segurança não os levam. " +
			"Traga de volta, no depósito, a versão anterior do objeto."
	case r.Copy == "":
		return "Nenhuma cópia inteira é conhecida. Se houver uma noutro lugar, ponha-a onde o arquivo estava."
	case r.Encrypted:
		return "Há uma cópia cifrada. Abra-a com a identidade age (age -d) e ponha o resultado onde o arquivo estava."
	}
	return "Há uma cópia inteira. Copie-a para onde o arquivo estava."
}

// damageAlert tells administração of damage.
func (s *server) damageAlert(ctx context.Context) ([]layout.Alert, error) {
	n, err := s.Integrity.Count(ctx)
	if err != nil || n == 0 {
		return nil, err
	}
	return []layout.Alert{{Strong: count(n, "item guardado está danificado.", "itens guardados estão danificados."),
		Text: "Nada disso é mostrado nem enviado. O que restaurar:", Link: component.Link{Href: integrityPath, Text: "Integridade"}}}, nil
}
