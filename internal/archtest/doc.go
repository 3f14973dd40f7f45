// Package archtest holds the tests of the architecture: who may import whom, that the
// README names tests that exist, that comments cite rows that exist.
package archtest
