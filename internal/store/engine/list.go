package engine

import (
	"encoding/json"
	"strconv"
)

// InNumbers and InNames ask whether a column is one of a list, which is one value of the
// statement: that of Numbers or Names. However long the list is, the statement stays the same.
// The keys of an object are what every engine reads of JSON by the same words.
const (
	InNumbers = `IN (SELECT CAST(key AS bigint) FROM json_each(?))`
	InNames   = `IN (SELECT key FROM json_each(?))`
)

// Numbers is the value of InNumbers.
func Numbers(list []int64) string {
	text := make([]byte, 0, 2+8*len(list))
	text = append(text, '{')
	for i, n := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(strconv.AppendInt(append(text, '"'), n, 10), `":0`...)
	}
	return string(append(text, '}'))
}

// Names is the value of InNames.
func Names[T ~string](list []T) string {
	set := make(map[T]int, len(list))
	for _, name := range list {
		set[name] = 0
	}
	text, _ := json.Marshal(set) // of texts and numbers alone
	return string(text)
}
