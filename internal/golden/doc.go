// Package golden holds every later version to a data folder that the first release
// wrote: what is stored is shown, found and answered as it was then. The folder and
// how it was made are described in testdata/README.md.
package golden
