package page

import (
	"fmt"
	"strconv"

	"guiche/web/layout"
)

// PhoneView is the panel "Enviar pelo celular" of the form.
type PhoneView struct {
	UID     string // of the draft
	Offered bool   // a phone can reach the address
	Shown   bool   // a code was asked for
	Code    QRCode // while it can be read: right after it was made
	Address string // in it
	Focused bool   // the panel has just been opened
	Seconds int    // that are left
	Until   string // "14:12"
	Opened  bool   // a phone used the code
	Files   int    // that came from it
	Over    bool   // its time is over, or somebody ended it
}

// QRCode is a square of dark modules, drawn as a path of units.
type QRCode struct {
	Size int
	Path string
}

// quiet is the white margin of a QR code, in modules (ISO/IEC 18004).
const quiet = 4

func (q QRCode) viewBox() string {
	return fmt.Sprintf("%d %d %[3]d %[3]d", -quiet, -quiet, q.Size+2*quiet)
}

// State names where the phone is, for a page to ask whether that is still so.
func (p PhoneView) State() string {
	switch {
	case p.Over:
		return "fim"
	case !p.Opened:
		return "espera"
	}
	return strconv.Itoa(p.Files)
}

func (p PhoneView) words() string {
	switch {
	case p.Over:
		return "Terminou: o código venceu ou o envio foi encerrado. O que chegou está entre os anexos."
	case !p.Opened && p.Address == "" && p.Code.Path == "":
		return "Esperando o celular. O código só aparece uma vez; se ninguém o leu, mostre outro."
	case !p.Opened:
		return "Esperando o celular."
	case p.Files == 0:
		return "Celular conectado. Nenhum arquivo ainda."
	case p.Files == 1:
		return "1 arquivo chegou do celular."
	}
	return strconv.Itoa(p.Files) + " arquivos chegaram do celular."
}

func (p PhoneView) path(end string) string { return "/nova/" + p.UID + "/celular" + end }

// PhonePageView is the page of the phone: GET /celular. It holds nothing about a patient.
type PhonePageView struct {
	layout.Page
	Open    bool   // files may be sent
	Ended   string // why they may not any more
	Unit    string
	Limits  string
	MaxFile string // bytes
	Seconds int
}

// clock is a number of seconds as "9:59".
func clock(seconds int) string { return fmt.Sprintf("%d:%02d", seconds/60, seconds%60) }
