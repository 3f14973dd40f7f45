package ingress

import "net"

// Inner is the connection inside one that is bounded.
func Inner(c net.Conn) net.Conn {
	if bounded, ok := c.(*conn); ok {
		return bounded.Conn
	}
	return nil
}
