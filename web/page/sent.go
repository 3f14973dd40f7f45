package page

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// maxRows bounds how many rows of a form are read.
const maxRows = 200

// SentRows reads what the rows of a form sent: nome[0].parte, nome[1].parte, …
// without those that say nothing, in which a box (ativo) does not count. only
// reports that the button that was pressed asks for one more row, or for one less,
// which is left out already: nothing is to be kept yet.
func SentRows(values url.Values, name string, parts ...string) (rows []map[string]string, only bool) {
	action := values.Get("acao")
	for i := range maxRows {
		prefix := fmt.Sprintf("%s[%d].", name, i)
		if !values.Has(prefix + parts[0]) {
			break
		}
		row, blank := map[string]string{}, true
		for _, part := range parts {
			row[part] = values.Get(prefix + part)
			blank = blank && (strings.TrimSpace(row[part]) == "" || part == "ativo")
		}
		if !blank && action != removeRow(i) {
			rows = append(rows, row)
		}
	}
	return rows, action == moreRow || strings.HasPrefix(action, lessRow)
}

// What acao says of a button that changes the rows of a form.
const (
	moreRow = "adicionar"
	lessRow = "remover-" // and the number of the row
)

func removeRow(row int) string { return lessRow + strconv.Itoa(row) }

// SentSearch reads what the form of a list sent: the words, and which page of the
// list; nothing sent is the first page of everything.
func SentSearch(values url.Values) (text string, number int) {
	number, _ = strconv.Atoi(values.Get("pagina")) // absent or garbled: the first page
	return strings.TrimSpace(values.Get("Busca")), min(max(number, 1), 1_000_000)
}

// PagesOf tells where the page with that number stands, of pages with size entries
// each.
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
