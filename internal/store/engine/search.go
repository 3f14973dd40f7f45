package engine

import "context"

// TextIndex is a table in which rows are found by words of their texts, in the form that its
// engine has for that.
type TextIndex struct {
	Table   string
	Columns []string // of texts
	Labels  []string // of texts that are one word each, which a search finds with Label alone
	Words   string   // the table of its words, where Tx.WordsFrom is asked
}

// Search says which words the texts of a row have. Words are compared without case and
// accents, see Fold.
type Search struct {
	Kind  SearchKind
	Label string // the column
	Word  string
	Of    []Search
}

// SearchKind is what a search asks.
type SearchKind int

// Kinds of searches.
const (
	OneWord   SearchKind = iota // there is the word
	Beginning                   // a word begins so
	AllOf                       // each finds the row
	AnyOf                       // one finds the row
	ButNot                      // the first finds the row, and the second does not
)

// Word finds rows with a word.
func Word(word string) Search { return Search{Kind: OneWord, Word: word} }

// Begins finds rows with a word that begins so.
func Begins(word string) Search { return Search{Kind: Beginning, Word: word} }

// AnyWord finds rows with one of some words.
func AnyWord(words ...string) Search {
	each := make([]Search, len(words))
	for i, word := range words {
		each[i] = Word(word)
	}
	return Any(each...)
}

// Label finds rows by a column that is a label.
func Label(column, word string) Search { return Search{Kind: OneWord, Label: column, Word: word} }

// All finds what all of some searches find.
func All(of ...Search) Search { return joined(AllOf, of) }

// Any finds what one of some searches finds.
func Any(of ...Search) Search { return joined(AnyOf, of) }

// Except finds what s finds and not does not.
func Except(s, not Search) Search { return Search{Kind: ButNot, Of: []Search{s, not}} }

func joined(kind SearchKind, of []Search) Search {
	if len(of) == 1 {
		return of[0]
	}
	return Search{Kind: kind, Of: of}
}

// BeginAll finds rows that have all beginnings of one of the lists, see Alternatives.
func BeginAll(lists ...[]string) Search {
	either := make([]Search, len(lists))
	for i, list := range lists {
		each := make([]Search, len(list))
		for k, word := range list {
			each[k] = Begins(word)
		}
		either[i] = All(each...)
	}
	return Any(either...)
}

// Found is how a statement reads the rows that a search finds: FROM From, which has one
// placeholder for Value.
type Found struct {
	From  string
	ID    string // the row's number
	Value string
}

// Match returns how a statement of this transaction reads what a search finds.
func (tx *Tx) Match(index TextIndex, s Search) Found { return tx.conn.Match(index, s) }

// AddText has a row found by its texts, which are those of the columns and the labels.
func (tx *Tx) AddText(ctx context.Context, index TextIndex, id int64, texts ...string) error {
	return tx.changeText(ctx, tx.conn.AddText, index, id, texts)
}

// RemoveText has a row found no more by the texts that it was found by.
func (tx *Tx) RemoveText(ctx context.Context, index TextIndex, id int64, texts ...string) error {
	return tx.changeText(ctx, tx.conn.RemoveText, index, id, texts)
}

// ChangeText has a row found by other texts than those that it was found by.
func (tx *Tx) ChangeText(ctx context.Context, index TextIndex, id int64, was, is []string) error {
	was = cleanedTexts(was)
	return tx.changeText(ctx, func(ctx context.Context, index TextIndex, id int64, is []string) error {
		return tx.conn.ChangeText(ctx, index, id, was, is)
	}, index, id, is)
}

func (tx *Tx) changeText(ctx context.Context, change func(context.Context, TextIndex, int64, []string) error,
	index TextIndex, id int64, texts []string) error {
	err := tx.flush(ctx)
	if err != nil {
		return err
	}
	if _, err = tx.ready(ctx, nil); err == nil {
		err = tx.orEnded(ctx, change(ctx, index, id, cleanedTexts(texts)))
	}
	return Error(tx.noted(err))
}
