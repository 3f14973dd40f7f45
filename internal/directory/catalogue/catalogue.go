// Package catalogue is a short list of procedures that front desks ask for often,
// with names a person reads easily and the words by which they are looked for: it
// serves the search until a clinic has imported the table it works with. Codes are
// those of TUSS (ANS table 22); the names are our own, after the table's terms.
package catalogue

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Procedure is one procedure of TUSS.
type Procedure struct {
	Code    string   // 8 digits
	Name    string   // to 150 characters
	Aliases []string // how people call it: "TSH", "raio X tórax"; nil without any
}

// source has one procedure per line, by code: "code;name;alias|alias".
//
//go:embed procedures.csv
var source string

var parsed = sync.OnceValue(func() []Procedure {
	var all []Procedure
	for line := range strings.Lines(source) {
		p, err := parse(strings.TrimSuffix(line, "\n"))
		if err != nil {
			panic("catalogue: " + err.Error()) // the list is part of the program; a test reads it
		}
		all = append(all, p)
	}
	return all
})

func parse(line string) (Procedure, error) {
	parts := strings.Split(line, ";")
	if len(parts) != 3 {
		return Procedure{}, fmt.Errorf("line %q has %d parts, not 3", line, len(parts))
	}
	p := Procedure{Code: parts[0], Name: parts[1]}
	if parts[2] != "" {
		p.Aliases = strings.Split(parts[2], "|")
	}
	return p, nil
}

// Procedures returns the procedures, by code. The list may be changed freely; the
// aliases are shared and may not.
func Procedures() []Procedure { return slices.Clone(parsed()) }
