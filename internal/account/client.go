package account

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// Client is where a person comes from.
type Client struct {
	Address   string // without port
	UserAgent string // the header as the browser sent it; only Device's words are kept
	Browser   string // cookie of RememberBrowser, "" without one
}

const maxAddress = 64 // characters; an IPv6 address with an ordinary zone has fewer

// session returns a new session of the client.
func (c Client) session(user uuid.UUID, now time.Time) Session {
	address := []rune(c.Address)
	return Session{UID: newUID(), User: user, CreatedAt: now, ConfirmedAt: now, ActiveAt: now,
		Device: Device(c.UserAgent), Address: string(address[:min(len(address), maxAddress)])}
}

// word is how a browser or system names itself, and what people call it. What
// pretends to be another stands before it.
type word struct{ token, name string }

var (
	browsers = []word{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	}
	systems = []word{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
		{"Mac OS X", "macOS"}, {"Linux", "Linux"},
	}
)

// Device tells a browser by the words people use: "Chrome no Windows". It is for
// telling one's own sessions apart, not for trusting.
func Device(userAgent string) string {
	browser, system := nameIn(browsers, userAgent), nameIn(systems, userAgent)
	switch {
	case browser == "" && system == "":
		return "Navegador desconhecido"
	case browser == "":
		return "Navegador no " + system
	case system == "":
		return browser
	}
	return browser + " no " + system
}

func nameIn(words []word, text string) string {
	for _, w := range words {
		if strings.Contains(text, w.token) {
			return w.name
		}
	}
	return ""
}
