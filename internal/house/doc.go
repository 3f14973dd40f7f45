// Package house holds the test of the dependency rule: which package of Guichê
// may import which. The README's architecture part says the same in words.
package house
