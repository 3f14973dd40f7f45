// Package password keeps passwords of people and of programs: which may be
// chosen, and what may be stored of them. It knows nobody who has one.
package password
