// Package layout draws the frame around every page: head, header with the tabs and
// the user's menu, banners, and the bar with the page's actions.
package layout

import "guiche/web/component"

// PollHeader marks the requests that a page makes by itself, with value "1":
// they are no activity of the user and do not keep a session alive.
const PollHeader = "Guiche-Automatico"

// pollHeaders is PollHeader as an hx-headers value.
const pollHeaders = `{"` + PollHeader + `":"1"}`

// PollHeaders returns the hx-headers value that marks a page's own requests.
func PollHeaders() string { return pollHeaders }

// Tab is one of the main sections.
type Tab string

// The tabs; NoTab marks none as current.
const (
	NoTab      Tab = ""
	QueueTab   Tab = "fila"
	NewTab     Tab = "nova"
	HistoryTab Tab = "historico"

	PeopleTab     Tab = "pessoas"
	DirectoryTab  Tab = "cadastros"
	ConnectionTab Tab = "conexao"
	ServiceTab    Tab = "servico"
	AuditTab      Tab = "auditoria"
)

// Kind tells which files a page loads. A browser fetches no more for its first page than that page can use.
type Kind int

// The kinds of pages inside a session.
const (
	Plain   Kind = iota // asks for nothing by itself
	Live                // asks for pieces of itself, by htmx
	Request             // the form of a request: live, and with bundles of its own
)

func (k Kind) sheet() string {
	if k == Request {
		return "form.css"
	}
	return "app.css"
}

func (k Kind) script() string {
	if k == Request {
		return "form.js"
	}
	return "app.js"
}

// Page is what the frame needs to know.
type Page struct {
	Kind         Kind
	Title        string  // of the document, without "— Guichê"
	Failed       bool    // the form came back with problems: the title begins with "Erro: "
	Tab          Tab     // current section
	Person       *Person // nil outside a session
	Flash        string  // one sentence about what has just been done, "" for none
	Undo         string  // where that is taken back, "" for what stays done
	Theme        string  // "light", "dark", or "" for the system's choice
	KeysOff      bool    // function keys are left to the browser, and no hint shows one
	Simulated    bool    // what the page shows came from a simulated operator
	InsecureHTTP bool    // served over plain http on another address than loopback
	Standalone   bool    // the service without a desk
	NoService    bool    // no authorization service is configured
	Shortage     *Alert  // the disk is nearly full; nil while it is not
	Alerts       []Alert // shown to administração
	Tour         int     // step at which the tour is open, from 1; 0: closed
}

// Alert is one thing that administração has to look into.
type Alert struct {
	Strong, Text string
	Link         component.Link
}

// Person is who is logged in.
type Person struct {
	Name     string
	Initials string // two letters
	Units    string // "Centro, Jardim das Acácias", "todas as unidades"; "" without a desk
	Desk     bool   // may work at the desk: sees the queue and opens requests
	Admin    bool   // has administração: people, directory, audit
	Session  string // names this session: what a tab keeps for it goes with it
}

// As returns the page as one of that kind.
func (p Page) As(k Kind) Page {
	p.Kind = k
	return p
}

func (p Page) documentTitle() string {
	title := p.Title + " — Guichê"
	if p.Failed {
		return "Erro: " + title
	}
	return title
}

// banners returns what must be seen on every page, alerts aside.
func (p Page) banners() []banner {
	var all []banner
	if p.Simulated {
		all = append(all, banner{component.ToneAttention, "exclamation-triangle", "SIMULAÇÃO — sem valor.",
			"Operadoras simuladas: nenhuma senha ou guia daqui vale para atender.", component.Link{}})
	}
	if p.InsecureHTTP {
		all = append(all, banner{component.ToneError, "exclamation-triangle", "Conexão sem proteção.",
			"O que você digita pode ser lido na rede; câmera e botão de copiar não funcionam. Peça à administração um endereço https.",
			component.Link{}})
	}
	if p.NoService {
		all = append(all, banner{component.ToneAttention, "info-circle", "Falta configurar o serviço de autorização.",
			"Rascunhos ficam guardados, mas nada pode ser enviado ainda.", component.Link{}})
	}
	return all
}

// banner is what an alert looks like.
func (a Alert) banner() banner {
	return banner{component.ToneAttention, "exclamation-triangle", a.Strong, a.Text, a.Link}
}

type banner struct {
	tone               component.Tone
	icon, strong, text string
	link               component.Link
}

type tabLink struct {
	tab        Tab
	href       string
	short, end string // "Nova" and " autorização": the end is dropped on small screens
	key        string
	icon       string // in the menu
}

// tabs are the sections of the desk, or else those of administração: a user with
// both has administração in the menu.
func (p Page) tabs() []tabLink {
	switch {
	case p.Person == nil:
		return nil
	case p.Person.Desk:
		return []tabLink{
			{tab: QueueTab, href: "/fila", short: "Fila"}, {tab: NewTab, href: "/nova", short: "Nova", end: " autorização", key: "F2"},
			{tab: HistoryTab, href: "/historico", short: "Histórico"},
		}
	}
	return p.administration()
}

// administration are the sections of administração, for those who have it.
func (p Page) administration() []tabLink {
	if p.Person == nil || !p.Person.Admin {
		return nil
	}
	people := tabLink{tab: PeopleTab, href: "/pessoas", short: "Pessoas", icon: "people"}
	service := tabLink{tab: ServiceTab, href: "/servico", short: "Serviço", icon: "hdd-network"}
	audit := tabLink{tab: AuditTab, href: "/auditoria", short: "Auditoria", icon: "shield-lock"}
	if p.Standalone {
		return []tabLink{service, people, audit}
	}
	return []tabLink{
		people, {tab: DirectoryTab, href: "/cadastros", short: "Cadastros", icon: "list-ul"},
		{tab: ConnectionTab, href: "/servico/conexao", short: "Conexão", icon: "cloud-check"}, service, audit,
	}
}
