package account

import (
	"context"
	"slices"

	"guiche/internal/audit"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Theme is a choice of light or dark pages.
type Theme string

// The themes.
const (
	SystemTheme Theme = "sistema" // as the person's system says
	LightTheme  Theme = "claro"
	DarkTheme   Theme = "escuro"
)

// Themes lists the themes in the order in which they are shown.
func Themes() []Theme { return []Theme{SystemTheme, LightTheme, DarkTheme} }

// Label returns the theme as people read it.
func (t Theme) Label() string {
	switch t {
	case SystemTheme:
		return "Como no sistema"
	case LightTheme:
		return "Claro"
	case DarkTheme:
		return "Escuro"
	default:
		return string(t)
	}
}

// Preferences are how a user wants the pages.
type Preferences struct {
	Theme   Theme
	KeysOff bool // function keys are left to the browser
}

// SetPreferences keeps what a person wants. An unknown theme is a problem.Invalid
// error with the field tema.
func (s *Service) SetPreferences(ctx context.Context, uid uuid.UUID, p Preferences) error {
	if !slices.Contains(Themes(), p.Theme) {
		return problem.InvalidFields([]problem.Field{{Path: "tema", Code: "dominio", Message: "Escolha um tema da lista."}})
	}
	detail := "tema=" + string(p.Theme) + " teclas=sim"
	if p.KeysOff {
		detail = "tema=" + string(p.Theme) + " teclas=nao"
	}
	return s.store.Write(ctx, func(tx Tx) error {
		if err := tx.SetPreferences(ctx, uid, p); err != nil {
			return err
		}
		return tx.Append(ctx, about(audit.PreferencesSet, uid, uid, detail))
	})
}
