package torture

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
)

// Kind is what an authorization service announces about requests that got no answer.
type Kind string

// The kinds.
const (
	Silent Kind = "silent" // nothing
	Keys   Kind = "keys"   // idempotency keys
	LookUp Kind = "lookup" // questions by guiaPrestador
	Both   Kind = "both"
)

// features are the words of recursos.
func (k Kind) features() []string {
	return map[Kind][]string{
		Keys: {"idempotencia"}, LookUp: {"consulta-por-guia"}, Both: {"idempotencia", "consulta-por-guia"},
	}[k]
}

// endsDoubts reports whether no request may end as unknown.
func (k Kind) endsDoubts() bool { return k == Keys || k == Both }

// ParseKinds reads a list with commas.
func ParseKinds(list string) ([]Kind, error) {
	var kinds []Kind
	for _, word := range strings.Split(list, ",") {
		if k := Kind(word); k == Silent || k.features() != nil {
			kinds = append(kinds, k)
		} else {
			return nil, fmt.Errorf("torture: %q is no kind of service", word)
		}
	}
	return kinds, nil
}

// Options say how a run goes. Submissions and stops are divided among the kinds, each of
// which is an installation of its own.
type Options struct {
	Binary      string // guiche
	Folder      string // an empty one, for data and records
	Kinds       []Kind
	Seed        uint64
	Submissions int
	Kills       int     // by signal 9; there is a SIGTERM more for every five of them
	Clerks      int     // who send at the same time, at each installation
	Faults      float64 // share of the service's requests that meet a fault
	DiskMB      int     // size of a disk of the data folder's own that is full half of the time; 0: none. Needs root
	Quiet       time.Duration
	Log         io.Writer

	// Between puts something between the program and the service: it gets the service's
	// address and returns the one that the program is told. Nil leaves it out.
	Between func(address string) string
	// Wrapper is a command that starts the program, such as one that limits it.
	Wrapper []string
	// During is called once, when half of the forms are begun, while people go on. Nil
	// leaves it out.
	During func(ctx context.Context, o Options, data string) error
	// Trace writes the program's calls into the file trace of its folder, with strace.
	Trace bool
	// After is called with the folder of a world whose program has stopped. Nil leaves it out.
	After func(ctx context.Context, o Options, folder string) error
	// Restore goes back, when all forms are sent, to a backup that During made, and sends
	// half as many again.
	Restore bool
	// Doubts says that people may have to end some, whatever the service announces.
	Doubts bool
	// Cluster is set for several processes that share a database, behind a balancer. Kills meet one of
	// them at a time.
	Cluster *Cluster
	// Tamper is called with the data folder when everything is sent and the program is
	// stopped, before the last looks. Nil leaves it out.
	Tamper func(data string) error
}

// part is the n-th of the parts into which a number is divided.
func part(whole, parts, n int) int { return whole*(n+1)/parts - whole*n/parts }
