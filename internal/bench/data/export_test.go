package data

// Span is how long so many cases took.
var Span = span
