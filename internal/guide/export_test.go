package guide

// For tests.
var (
	CompressPages = compressPages
	Undated       = undated
)
