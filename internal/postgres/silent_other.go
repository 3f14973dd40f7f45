//go:build !unix

package postgres

import "net"

// silent reports whether nothing came on a connection, where the system tells.
func silent(net.Conn) bool { return false }
