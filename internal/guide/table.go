package guide

import "strconv"

const headerHeight = 8.0

// column is one field of a table, printed once per line.
type column struct {
	label string
	width float64 // 0: the rest of the row, for one column in it
	blank string  // printed pale in an empty line, to write into: "/    /"
}

// table draws a header, the lines given and empty ones up to a count, and moves
// below them. The lines are numbered from first on.
func (p *pen) table(columns []column, lines [][]string, first, count int, height float64) {
	edges := columnEdges(columns)
	p.printed(func() { p.tableHead(edges, columns, count, height) })
	p.y += headerHeight
	for i := range count {
		p.printed(func() {
			p.setFont(regular(), labelSize, labelGrey)
			p.text(left+padding, p.y+height-lineDescent, strconv.Itoa(first+i))
			if i >= len(lines) {
				p.emptyLine(edges, columns, height)
			}
		})
		if i < len(lines) {
			p.filledLine(edges, lines[i], height)
		}
		p.y += height
	}
}

// tableHead draws the lines of a table and the names of its columns.
func (p *pen) tableHead(edges []float64, columns []column, count int, height float64) {
	p.grid(edges, count, height)
	p.setFont(regular(), labelSize, labelGrey)
	for i, c := range columns {
		p.text(edges[i]+padding, p.y+labelBase, p.truncate(c.label, edges[i+1]-edges[i]-2*padding))
	}
}

// numberWidth is the width of a line's number, left of the first column.
const numberWidth = 13.0

// columnEdges returns the left edge of each column and the right edge of the last.
func columnEdges(columns []column) []float64 {
	widths := make([]float64, len(columns)+1)
	widths[0] = numberWidth
	for i, c := range columns {
		widths[i+1] = c.width
	}
	spread(widths)
	edges := make([]float64, 0, len(widths))
	x := left
	for _, w := range widths {
		x += w
		edges = append(edges, x)
	}
	return edges
}

// grid draws the border of a table, a line between its lines and between its columns.
func (p *pen) grid(edges []float64, count int, height float64) {
	total := headerHeight + height*float64(count)
	p.pdf.rectangle(left, p.y, right-left, total)
	p.pdf.setLine(gridGrey)
	for i := range count {
		y := p.y + headerHeight + height*float64(i)
		p.pdf.stroke(left, y, right, y)
	}
	for _, x := range edges[:len(edges)-1] {
		p.pdf.stroke(x, p.y, x, p.y+total)
	}
	p.pdf.setLine(frameGrey)
}

func (p *pen) filledLine(edges []float64, values []string, height float64) {
	for i, v := range values {
		p.line(edges[i]+padding, p.y+height-lineDescent, v, edges[i+1]-edges[i]-2*padding, tableSize)
	}
}

func (p *pen) emptyLine(edges []float64, columns []column, height float64) {
	p.setFont(regular(), tableSize, blankGrey)
	for i, c := range columns {
		middle := (edges[i] + edges[i+1] - p.width(c.blank)) / 2
		p.text(middle, p.y+height-lineDescent, c.blank)
	}
}
