// Package e2e holds the end-to-end tests: the whole program on a port of its own
// with its own data folder, driven by a real browser or by plain HTTP.
package e2e
