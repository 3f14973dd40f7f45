// Package data writes the data on which speed is measured: made up cases of some years in
// a clinic with several units, the same for the same seed, by the program's own stores.
package data
