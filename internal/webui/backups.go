package webui

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"guiche/internal/backup"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// BackupPlan says how a server makes backups by itself.
type BackupPlan struct {
	Files     string // the bucket that keeps files; "" where backups copy them
	Server    bool   // a database server keeps the rows: backups are made by its own tools
	Folder    string // "" makes none
	Every     time.Duration
	Keep      int // 0 keeps all
	Encrypted bool
}

// Backups are the backups of the installation.
type Backups interface {
	Plan() BackupPlan
	// Latest returns what was made, or failed, newest first; the newest that is whole is
	// among them, however old.
	Latest(ctx context.Context, limit int) ([]backup.Run, error)
	// Ask has one made now; it returns before it is.
	Ask()
}

const (
	backupsPath = "/copias"
	// backupRows is how many tries the page shows.
	backupRows = 30
)

// backups serves GET /copias.
func (s *server) backups(c echo.Context) error {
	frame, err := s.frame(c, "Cópias de segurança", layout.AuditTab)
	if err != nil {
		return err
	}
	runs, err := s.Backups.Latest(c.Request().Context(), backupRows)
	if err != nil {
		return err
	}
	plan := s.Backups.Plan()
	if plan.Server {
		return s.render(c, http.StatusOK, page.BackupsPage(page.BackupsView{Page: frame, Elsewhere: true, State: backupElsewhere(plan)}))
	}
	view := page.BackupsView{Page: frame, State: s.backupNotice(plan, runs), Planned: plan.Folder != "", Plan: planFacts(plan)}
	for _, r := range runs {
		view.Rows = append(view.Rows, s.backupRow(r))
	}
	return s.render(c, http.StatusOK, page.BackupsPage(view))
}

// askForBackup serves POST /copias/fazer.
func (s *server) askForBackup(c echo.Context) error {
	words := "Não há pasta de cópias definida neste servidor."
	if s.Backups.Plan().Folder != "" {
		s.Backups.Ask()
		words = "A cópia está sendo feita e conferida; aparece aqui quando terminar."
	}
	return s.redirectTelling(c, backupsPath, words)
}

// backupNotice says first whether there is a backup to rely on. A run that met another one
// says nothing of that.
func (s *server) backupNotice(plan BackupPlan, all []backup.Run) component.Notice {
	runs := slices.DeleteFunc(slices.Clone(all), func(r backup.Run) bool { return r.Failure == backup.FailedBusy })
	good := latestGood(runs)
	if good == nil {
		return noBackup(plan, runs, len(all) > 0)
	}
	n := component.Notice{Tone: component.ToneError, Icon: "x-octagon", Text: "A última inteira é de " + s.when(good.At) + "."}
	switch {
	case runs[0].Failure == backup.FailedDamaged:
		n.Strong, n.Text = "A cópia mais recente não deu certo.", joined(" ", backupNote(runs[0]), n.Text, "Restaure-a com guiche restore.")
	case !runs[0].Good():
		n.Strong, n.Text = "A cópia mais recente não deu certo.", joined(" ", backupNote(runs[0]), n.Text)
	case plan.Folder != "" && s.clock().Sub(good.At) > 2*plan.Every:
		n.Strong = "A última cópia é antiga."
	case runs[0].Missing > 0:
		return component.Notice{Tone: component.ToneAttention, Icon: "exclamation-triangle", Strong: "Última cópia: " + s.when(good.At) + ".",
			Text: backupNote(runs[0]) + " A cópia tem todo o resto."}
	case good.VerifiedAt.IsZero():
		return component.Notice{Tone: component.ToneAttention, Icon: "exclamation-triangle", Strong: "Última cópia: " + s.when(good.At) + ".",
			Text: "Ainda não foi conferida."}
	default:
		return component.Notice{Tone: component.ToneSuccess, Icon: "check-lg", Strong: "Última cópia: " + s.when(good.At) + ".",
			Text: "Conferida " + s.when(good.VerifiedAt) + ", sem danos."}
	}
	return n
}

// backupElsewhere says who makes the backups of a database server.
func backupElsewhere(plan BackupPlan) component.Notice {
	files := " Os arquivos e as chaves são copiados à parte."
	if plan.Files != "" {
		files = " Os arquivos ficam em " + plan.Files + ", guardados pelas versões do depósito; as chaves são copiadas à parte."
	}
	return component.Notice{Tone: component.ToneNeutral, Icon: "info-circle", Strong: "As cópias são feitas fora do Guichê.",
		Text: "Os registros ficam no PostgreSQL, que se copia com as ferramentas dele (pg_basebackup ou pg_dump)." + files}
}

// noBackup says that there is no backup to rely on, and why; another one may be under way.
func noBackup(plan BackupPlan, runs []backup.Run, busy bool) component.Notice {
	n := component.Notice{Tone: component.ToneError, Icon: "x-octagon"}
	const ask = "Peça a quem cuida do servidor que defina GUICHE_BACKUP_TO, ou que use guiche backup."
	switch {
	case len(runs) > 0:
		if n.Strong, n.Text = "Não há cópia em que confiar.", backupNote(runs[0]); plan.Folder == "" {
			n.Text += " " + ask
		}
	case busy:
		return component.Notice{Tone: component.ToneWaiting, Icon: "clock", Strong: "Outra cópia está sendo feita.",
			Text: "Aparece aqui quando terminar."}
	case plan.Folder == "":
		n.Strong, n.Text = "Nenhuma cópia é feita.", ask
	default:
		return component.Notice{Tone: component.ToneWaiting, Icon: "clock", Strong: "A primeira cópia está sendo feita.",
			Text: "Aparece aqui quando terminar."}
	}
	return n
}

// latestGood is the newest run with a backup to rely on.
func latestGood(runs []backup.Run) *backup.Run {
	for i := range runs {
		if runs[i].Good() {
			return &runs[i]
		}
	}
	return nil
}

// planFacts say how backups are made.
func planFacts(p BackupPlan) []page.Fact {
	if p.Folder == "" {
		return nil
	}
	kept := "todas"
	switch {
	case p.Keep == 1:
		kept = "só a mais nova"
	case p.Keep > 1:
		kept = fmt.Sprintf("as %d mais novas", p.Keep)
	}
	secret := page.Fact{Term: "Criptografia", Value: "Não.", Detail: "A cópia não leva as chaves da instalação: guarde-as à parte."}
	if p.Encrypted {
		secret.Value, secret.Detail = "Sim, e com as chaves da instalação.", "Só abre com a identidade age, que fica fora do servidor."
	}
	facts := []page.Fact{
		{Term: "Pasta", Value: p.Folder}, {Term: "A cada", Value: durationWords(p.Every)}, {Term: "Ficam", Value: kept}, secret,
	}
	if p.Files != "" {
		facts = append(facts, page.Fact{Term: "Arquivos", Value: "Ficam em " + p.Files + ".",
			Detail: "A cópia só os nomeia: o que os traz de volta são as versões do depósito."})
	}
	return facts
}

// durationWords says "24 h", "30 min", "1 h 30 min".
func durationWords(d time.Duration) string {
	var words []string
	if h := int(d.Hours()); h > 0 {
		words = append(words, fmt.Sprintf("%d h", h))
	}
	if m := int(d.Minutes()) % 60; m > 0 || len(words) == 0 {
		words = append(words, fmt.Sprintf("%d min", m))
	}
	return strings.Join(words, " ")
}

func (s *server) backupRow(r backup.Run) page.BackupRow {
	row := page.BackupRow{At: s.when(r.At), Result: "Feita", Note: backupNote(r)}
	if r.Failure != "" {
		row.Result = "Não foi feita"
		return row
	}
	row.Size = sizeWords(r.Bytes)
	switch {
	case r.VerifiedAt.IsZero():
		row.Checked = "não conferida"
	case r.Damage > 0:
		row.Checked = count(r.Damage, "dano", "danos") + ", " + s.when(r.VerifiedAt)
	default:
		row.Checked = "sem danos, " + s.when(r.VerifiedAt)
	}
	return row
}

// backupNote says why a backup was not made, or what is wrong with it.
func backupNote(r backup.Run) string {
	switch r.Failure {
	case backup.FailedNoSpace:
		return "Falta espaço em disco."
	case backup.FailedFolder:
		return "A pasta de cópias não pôde ser lida ou escrita."
	case backup.FailedBusy:
		return "Outra cópia estava sendo feita."
	case backup.FailedDamaged:
		return "O banco de dados da instalação está danificado."
	case backup.FailedOther:
		return "O motivo está no registro do servidor."
	}
	switch {
	case r.Damage > 0:
		return "A cópia está danificada; a próxima copia de novo o que faltar."
	case r.Missing > 0:
		return count(r.Missing, "arquivo já faltava na instalação.", "arquivos já faltavam na instalação.")
	}
	return ""
}

// sizeWords says how many bytes: "14,1 MB".
func sizeWords(bytes int64) string {
	units := []string{"kB", "MB", "GB", "TB"}
	value, unit := float64(bytes)/1000, 0
	for value >= 1000 && unit < len(units)-1 {
		value, unit = value/1000, unit+1
	}
	return strings.Replace(fmt.Sprintf("%.1f %s", value, units[unit]), ".", ",", 1)
}
