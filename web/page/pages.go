package page

import "fmt"

// Pages is the position within a list of many pages.
type Pages struct {
	Position       string // "1 a 50 de 548"; "" when there is one page
	Previous, Next int    // 0 for none
}

// PagesOf returns the position of a page, counted from 1, where each has size entries.
func PagesOf(number, size, total int) Pages {
	if total <= size && number == 1 {
		return Pages{}
	}
	first, last := (number-1)*size+1, min(number*size, total)
	pages := Pages{Position: fmt.Sprintf("%d a %d de %d", first, last, total), Previous: min(number-1, (total+size-1)/size)}
	if first > total {
		pages.Position = fmt.Sprintf("nada além de %d", total)
	}
	if last < total {
		pages.Next = number + 1
	}
	return pages
}
