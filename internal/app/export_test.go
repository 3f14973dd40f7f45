package app

// UntilNext is how long it is until all is checked again.
var UntilNext = untilNext
