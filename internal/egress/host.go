package egress

import (
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// HostName is a host as net/http looks it up: in lower case, and a name with other letters in those of the DNS. One that
// has no such form stays as it is, and is false.
func HostName(host string) (name string, ok bool) {
	lower := strings.ToLower(host)
	if !strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return lower, true
	}
	name, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return lower, false
	}
	return name, true
}
