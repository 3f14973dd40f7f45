//go:build !unix

package backup

// makeFor does nothing: there is no root.
func makeFor(string) {}
