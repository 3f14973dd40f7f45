package document

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"guiche/internal/problem"
)

// Limits are how much may be attached to one request, in files and bytes
// (interface.md, row 10).
type Limits struct {
	MaxFiles int
	MaxFile  int64
	MaxTotal int64
}

// DefaultLimits are the desk's own limits (interface.md, row 10).
func DefaultLimits() Limits { return Limits{MaxFiles: 10, MaxFile: 15 << 20, MaxTotal: 60 << 20} }

// CheckSet checks the files of one request together: a problem.TooLarge error when
// they are too many or too large in all. sizes are bytes.
func (l Limits) CheckSet(sizes ...int64) error {
	if len(sizes) > l.MaxFiles {
		return problem.New(problem.TooLarge, fmt.Sprintf("São %d arquivos; o limite é %d.", len(sizes), l.MaxFiles))
	}
	var total int64
	for _, s := range sizes {
		total += s
	}
	if total > l.MaxTotal {
		return problem.New(problem.TooLarge, "Os anexos somam "+exceeds(total, l.MaxTotal)+".")
	}
	return nil
}

// exceeds says by how much a size exceeds a limit; the two never look the same.
func exceeds(size, limit int64) string {
	s, l := FormatSize(size), FormatSize(limit)
	if s == l {
		s = "pouco mais de " + l
	}
	return s + "; o limite é " + l
}

// FormatSize writes a number of bytes for people, in multiples of 1024 as file
// managers do: "412 kB", "4,8 MB", "15 MB".
func FormatSize(bytes int64) string {
	if bytes < 1024 {
		return strconv.FormatInt(bytes, 10) + map[bool]string{true: " byte", false: " bytes"}[bytes == 1]
	}
	value, unit := float64(bytes)/1024, 0
	for units := len(sizeUnits); unit < units-1 && math.Round(value) >= 1024; unit++ {
		value /= 1024
	}
	text := strconv.FormatFloat(math.Round(value), 'f', 0, 64)
	if unit > 0 && value < 9.95 {
		text = strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0")
	}
	return strings.Replace(text, ".", ",", 1) + " " + sizeUnits[unit]
}

var sizeUnits = []string{"kB", "MB", "GB", "TB"}
