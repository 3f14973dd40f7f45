package audit

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Origin is the network address that an act came from. The address is personal data
// and is forgotten after a while, with the salt: what then stays in the chain, the
// digest, says nothing.
type Origin struct {
	Address string // "" without one, and once it was forgotten
	Salt    [32]byte
	Digest  [sha256.Size]byte // of salt and address; zero without an address
}

// NewOrigin returns the origin of an act from an address, the zero value for "".
func NewOrigin(address string) Origin {
	if address == "" {
		return Origin{}
	}
	o := Origin{Address: address}
	_, _ = rand.Read(o.Salt[:]) // never fails: it ends the program instead
	o.Digest = o.sum()
	return o
}

func (o Origin) sum() [sha256.Size]byte { return sha256.Sum256(append(o.Salt[:], o.Address...)) }

// recorded reports whether there was an address when the entry was written.
func (o Origin) recorded() bool { return o.Digest != [sha256.Size]byte{} }

// altered reports whether the address is not the one that the entry was written with.
func (o Origin) altered() bool { return o.Address != "" && o.Digest != o.sum() }

type addressKey struct{}

// WithAddress returns a context whose acts come from an address. What is no IP
// address changes nothing.
func WithAddress(ctx context.Context, address string) context.Context {
	if address = Address(address); address == "" {
		return ctx
	}
	return context.WithValue(ctx, addressKey{}, address)
}

// Address returns an IP address as the trail writes it, "" for anything else.
func Address(text string) string {
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return ""
	}
	return addr.Unmap().WithZone("").String()
}

// AddressFrom returns the address that acts within a context come from, "" for those
// of the program itself.
func AddressFrom(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}

// forgottenBefore begins the detail of AddressesForgotten.
const forgottenBefore = "antes="

// AddressesForgottenBefore is the entry without which no address may be missing:
// those of entries from before a moment, to the second, are deleted.
func AddressesForgottenBefore(moment time.Time) Entry {
	return Entry{Event: AddressesForgotten, Detail: forgottenBefore + moment.UTC().Format(time.RFC3339)}
}

// forgets returns the moment of AddressesForgottenBefore, zero for any other entry.
func (e Entry) forgets() time.Time {
	word, ok := strings.CutPrefix(e.Detail, forgottenBefore)
	if e.Event != AddressesForgotten || !ok {
		return time.Time{}
	}
	moment, err := time.Parse(time.RFC3339, word)
	if err != nil {
		return time.Time{}
	}
	return moment
}

// unaddressed are entries whose address is gone, or another, and of which the chain does
// not say so.
type unaddressed []unaddressedEntry

type unaddressedEntry struct {
	position int64
	at       time.Time
	reason   string
}

// look takes the next entry of the chain into account.
func (u unaddressed) look(link Link) unaddressed {
	if until := link.Entry.forgets(); !until.IsZero() {
		u = slices.DeleteFunc(u, func(e unaddressedEntry) bool { return e.at.Before(until) })
	}
	if ack, ok := link.Entry.acknowledges(); ok {
		u = slices.DeleteFunc(u, func(e unaddressedEntry) bool { return ack.addresses.have(e.position) })
	}
	switch o := link.Entry.Origin; {
	case o.altered():
		u = append(u, unaddressedEntry{link.Position, link.Entry.At, "the address is not the one that was written here"})
	case o.recorded() && o.Address == "":
		u = append(u, unaddressedEntry{link.Position, link.Entry.At, "the address is gone, and no entry says that it was forgotten"})
	}
	return u
}

// ranges are the positions of the entries.
func (u unaddressed) ranges() (all ranges) {
	for _, e := range u {
		all = all.with(e.position)
	}
	return all
}
