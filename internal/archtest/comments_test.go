package archtest_test

import (
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"strings"
)

// passage is a comment, or a paragraph of a document, without its marks and with
// its lines joined by spaces: what it cites may begin on one line and end on the
// next.
type passage struct {
	text   string
	starts []int // where each line begins in text
	line   int   // of the first one
}

// at returns the line of a place in the text.
func (p passage) at(offset int) int {
	n := 0
	for n+1 < len(p.starts) && p.starts[n+1] <= offset {
		n++
	}
	return p.line + n
}

func (p *passage) add(line string) {
	if len(p.starts) > 0 {
		p.text += " "
	}
	p.starts = append(p.starts, len(p.text))
	p.text += strings.TrimSpace(line)
}

// passages returns the comments of a source file, or the paragraphs of a document.
func passages(name, content string) []passage {
	switch path.Ext(name) {
	case ".go":
		return goComments(content)
	case ".templ":
		return joined(content, regexp.MustCompile(`(?:^|\s)//\s(.*)$`))
	case ".sql":
		return joined(content, regexp.MustCompile(`(?:^|\s)--\s?(.*)$`))
	}
	return joined(content, regexp.MustCompile(`^(.*\S.*)$`))
}

// goComments returns the comments of Go, those that follow each other as one.
func goComments(content string) []passage {
	var all []passage
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(content))
	var s scanner.Scanner
	s.Init(file, []byte(content), nil, scanner.ScanComments)
	last := -1 // the line on which the comment before ended, -1 when something stands between
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return all
		}
		if tok != token.COMMENT {
			if text != "\n" {
				last = -1
			}
			continue
		}
		line := file.Line(pos)
		if last != line-1 {
			all = append(all, passage{line: line})
		}
		for _, part := range strings.Split(text, "\n") {
			all[len(all)-1].add(strings.Trim(part, "/*\t "))
			last = line
			line++
		}
	}
}

// joined returns what a pattern finds in the lines of a text, neighbours as one.
func joined(content string, pattern *regexp.Regexp) []passage {
	var all []passage
	last := -2
	for i, line := range strings.Split(content, "\n") {
		found := pattern.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		if last != i-1 {
			all = append(all, passage{line: i + 1})
		}
		all[len(all)-1].add(found[1])
		last = i
	}
	return all
}
