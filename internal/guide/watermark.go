package guide

// simulatedMark is what every page of a simulated guide says.
const simulatedMark = "SIMULAÇÃO — SEM VALOR"

// watermark writes text from corner to corner below all else, so that it is seen
// at once and hides nothing.
func (p *pen) watermark(text string) {
	const size, angle = 62.0, 30.0
	w, h := p.pdf.GetPageSize()
	p.font(bold(), size, black)
	p.pdf.SetTextColor(244, 214, 208)
	p.pdf.TransformBegin()
	p.pdf.TransformRotate(angle, w/2, h/2)
	p.text((w-p.width(text))/2, h/2+size*0.35, text)
	p.pdf.TransformEnd()
}
