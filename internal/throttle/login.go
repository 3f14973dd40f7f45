package throttle

import (
	"context"
	"net/netip"
	"time"
)

// The limits of logins. None of Total and Address refuses anybody: the attempts of a
// stranger must not keep the owner of an account out. They only lower what one
// network may try at one account.
var (
	// Network is what one network may fail at one account.
	Network = Limit{Kind: "conta-rede", Budget: 10, Leak: time.Hour, MaxDelay: 15 * time.Minute}
	// Browser is what a browser may fail at an account that it logged in to before,
	// whatever comes from elsewhere.
	Browser = Limit{Kind: "conta-navegador", Budget: 10, Leak: time.Hour, MaxDelay: 15 * time.Minute}
	// Total is what all networks together may fail at one account.
	Total = Limit{Kind: "conta", Budget: 500, Leak: time.Minute, MaxDelay: time.Minute}
	// Address is what one network may fail at all accounts: a whole clinic may share it.
	Address = Limit{Kind: "endereco", Budget: 300, Leak: time.Minute, MaxDelay: time.Minute}
	// Confirmation is what somebody who is logged in may fail at their own password.
	Confirmation = Limit{Kind: "confirmacao", Budget: 10, Leak: time.Hour, MaxDelay: 15 * time.Minute}
)

// underAttack is the budget of Network when that of Total or Address is used up: the
// right password still gets in from anywhere, and each network gets fewer guesses.
const underAttack = 2

// Login is an attempt to log in to one account.
type Login struct {
	Account string
	Address string // without port; of IPv6 its network of 64 bits counts
	Browser string // names a browser that logged in to the account before, "" for any other
}

// Verdict says what becomes of an attempt.
type Verdict struct {
	Wait   time.Duration // until it may be made, 0 for now
	Attack bool          // more fails at this account or from this address than people mistype
	Began  bool          // the attack was noticed with this attempt
}

// Attempt counts the login as failed before it is tried, so that of many at once
// each counts; Succeed undoes that. One that has to wait is not counted.
func (l Login) Attempt(ctx context.Context, s Store, now time.Time) (v Verdict, err error) {
	if l.Browser != "" {
		v.Wait, err = Browser.Attempt(ctx, s, l.atBrowser(), now)
		return v, err
	}
	total, err := Total.used(ctx, s, l.Account, now)
	if err != nil {
		return v, err
	}
	address, err := Address.used(ctx, s, l.network(), now)
	if err != nil {
		return v, err
	}
	limit := Network
	if v.Attack = total >= Total.Budget || address >= Address.Budget; v.Attack {
		limit.Budget = underAttack
	}
	if v.Wait, err = limit.Attempt(ctx, s, l.atNetwork(), now); err != nil || v.Wait > 0 {
		return v, err
	}
	v.Began = total == Total.Budget-1 || address == Address.Budget-1
	if err := Total.count(ctx, s, l.Account, now); err != nil {
		return v, err
	}
	return v, Address.count(ctx, s, l.network(), now)
}

// Succeed forgets what failed before at the same place, and that this attempt was
// counted elsewhere.
func (l Login) Succeed(ctx context.Context, s Store) error {
	if l.Browser != "" {
		return Browser.Clear(ctx, s, l.atBrowser())
	}
	if err := Network.Clear(ctx, s, l.atNetwork()); err != nil {
		return err
	}
	if err := Total.Forgive(ctx, s, l.Account); err != nil {
		return err
	}
	return Address.Forgive(ctx, s, l.network())
}

func (l Login) atBrowser() string { return l.Browser + "\x00" + l.Account }

func (l Login) atNetwork() string { return l.network() + "\x00" + l.Account }

// network returns the address as attempts are counted: whoever has one IPv6 address
// has 2^64 of them.
func (l Login) network() string { return NetworkOf(l.Address) }

// NetworkOf returns an IPv4 address as it is, the network of 64 bits of an IPv6 one,
// and anything else unchanged.
func NetworkOf(address string) string {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if addr = addr.Unmap().WithZone(""); addr.Is4() {
		return addr.String()
	}
	prefix, _ := addr.Prefix(64) // of an IPv6 address always
	return prefix.String()
}
