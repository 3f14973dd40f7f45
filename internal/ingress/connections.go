package ingress

import (
	"container/list"
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
)

// Connections bounds how many connections there are. Where one more comes, the oldest
// goes whose sender nobody knows; where all are known, the new one goes. So whoever
// opens many locks nobody else out, not even behind the same address.
type Connections struct {
	Total      int            // in all; 0 means no bound
	PerAddress int            // of one address, or one IPv6 network of 64 bits; 0 means no bound
	Proxies    []netip.Prefix // whose connections are many people's: they count in all only
}

// Listen returns the listener with the bounds.
func (c Connections) Listen(l net.Listener) net.Listener {
	return &listener{Listener: l, limits: c, open: list.New(), byAddress: map[string]*list.List{}}
}

// listener is a net.Listener with bounds.
type listener struct {
	net.Listener
	limits Connections

	mu        sync.Mutex
	open      *list.List            // of *conn, oldest first
	byAddress map[string]*list.List // the same, by where they come from
}

// conn is an open connection.
type conn struct {
	net.Conn
	from  string // "" counts in all only
	known atomic.Bool
	holds atomic.Bool // the system does, until more is written

	listener      *listener
	inAll, inMine *list.Element // its places; nil when it is out
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

// ConnContext is for http.Server: it lets Known find the connection of a request.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	return context.WithValue(ctx, connKey{}, c)
}

// Accept implements net.Listener. What has no room is closed and not returned.
func (l *listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: accepted, listener: l, from: l.sender(accepted.RemoteAddr())}
		evicted, ok := l.add(c)
		if evicted != nil {
			_ = evicted.Close()
		}
		if ok {
			return c, nil
		}
		_ = accepted.Close()
	}
}

// sender is what a connection counts for beside the total.
func (l *listener) sender(remote net.Addr) string {
	addr, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return ""
	}
	for _, p := range l.limits.Proxies {
		if p.Contains(addr.Addr().Unmap()) {
			return ""
		}
	}
	return network(addr.Addr().String())
}

// add counts a connection. Where there is no room it returns the one that has to go
// for it, or false.
func (l *listener) add(c *conn) (evicted *conn, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all, mine := l.open, l.byAddress[c.from]
	switch {
	case c.from != "" && reached(mine, l.limits.PerAddress):
		evicted = oldestUnknown(mine)
	case reached(all, l.limits.Total):
		evicted = oldestUnknown(all)
	default:
		l.insert(c)
		return nil, true
	}
	if evicted == nil {
		return nil, false
	}
	l.remove(evicted)
	l.insert(c)
	return evicted, true
}

// insert adds a connection that there is room for. The mutex is held.
func (l *listener) insert(c *conn) {
	mine := l.byAddress[c.from]
	if mine == nil {
		mine = list.New()
		l.byAddress[c.from] = mine
	}
	c.inAll, c.inMine = l.open.PushBack(c), mine.PushBack(c)
}

// remove takes out a connection; one that is out already stays so. The mutex is held.
func (l *listener) remove(c *conn) {
	mine := l.byAddress[c.from]
	if c.inAll == nil || mine == nil {
		return
	}
	l.open.Remove(c.inAll)
	if mine.Remove(c.inMine); mine.Len() == 0 {
		delete(l.byAddress, c.from)
	}
	c.inAll, c.inMine = nil, nil
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.listener.mu.Lock()
	c.listener.remove(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// oldestUnknown is the connection that goes first, nil when all senders are known.
func oldestUnknown(conns *list.List) *conn {
	for e := conns.Front(); e != nil; e = e.Next() {
		if c, ok := e.Value.(*conn); ok && !c.known.Load() {
			return c
		}
	}
	return nil
}

// reached reports whether a list is as long as its bound; 0 is no bound.
func reached(conns *list.List, bound int) bool {
	return bound > 0 && conns != nil && conns.Len() >= bound
}
