package document

import (
	"errors"
	"image"
)

// errCannotTurn says that a picture is held in a way that is not turned here.
var errCannotTurn = errors.New("document: picture that is not turned")

// turn returns a picture as it is seen, from how it is stored: orientation is Exif's.
func turn(m image.Image, orientation int) (image.Image, error) {
	size := m.Bounds().Size()
	seen := image.Rectangle{Max: size}
	if swapsSides(orientation) {
		seen.Max = image.Pt(size.Y, size.X)
	}
	each := func(pix []uint8, stride, bytes int) ([]uint8, int) {
		return turnPlane(plane{pix, stride, size.X, size.Y, bytes}, orientation)
	}
	switch m := m.(type) {
	case *image.YCbCr:
		return turnYCbCr(m, seen, orientation)
	case *image.Gray:
		t := &image.Gray{Rect: seen}
		t.Pix, t.Stride = each(m.Pix, m.Stride, 1)
		return t, nil
	case *image.Paletted:
		t := &image.Paletted{Rect: seen, Palette: m.Palette}
		t.Pix, t.Stride = each(m.Pix, m.Stride, 1)
		return t, nil
	case *image.Gray16:
		t := &image.Gray16{Rect: seen}
		t.Pix, t.Stride = each(m.Pix, m.Stride, 2)
		return t, nil
	case *image.RGBA:
		t := &image.RGBA{Rect: seen}
		t.Pix, t.Stride = each(m.Pix, m.Stride, 4)
		return t, nil
	case *image.NRGBA:
		t := &image.NRGBA{Rect: seen}
		t.Pix, t.Stride = each(m.Pix, m.Stride, 4)
		return t, nil
	case *image.RGBA64:
		t := &image.RGBA64{Rect: seen}
		t.Pix, t.Stride = each(m.Pix, m.Stride, 8)
		return t, nil
	case *image.NRGBA64:
		t := &image.NRGBA64{Rect: seen}
		t.Pix, t.Stride = each(m.Pix, m.Stride, 8)
		return t, nil
	}
	return nil, errCannotTurn
}

// swapsSides tells the orientations in which width and height change places.
func swapsSides(orientation int) bool { return orientation >= 5 }

// swappedRatios are the ratios that the colours have after width and height changed
// places. Those that are missing have no such counterpart.
var swappedRatios = map[image.YCbCrSubsampleRatio]image.YCbCrSubsampleRatio{
	image.YCbCrSubsampleRatio444: image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio420: image.YCbCrSubsampleRatio420,
	image.YCbCrSubsampleRatio422: image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio440: image.YCbCrSubsampleRatio422,
}

// turnYCbCr turns the three planes, of which those of colour may be coarser.
func turnYCbCr(m *image.YCbCr, seen image.Rectangle, orientation int) (image.Image, error) {
	ratio, ok := swappedRatios[m.SubsampleRatio]
	if !ok {
		return nil, errCannotTurn
	}
	t := &image.YCbCr{Rect: seen, SubsampleRatio: m.SubsampleRatio}
	if swapsSides(orientation) {
		t.SubsampleRatio = ratio
	}
	size := m.Bounds().Size()
	width, height := size.X, size.Y
	switch m.SubsampleRatio {
	case image.YCbCrSubsampleRatio420:
		width, height = (width+1)/2, (height+1)/2
	case image.YCbCrSubsampleRatio422:
		width = (width + 1) / 2
	case image.YCbCrSubsampleRatio440:
		height = (height + 1) / 2
	}
	t.Y, t.YStride = turnPlane(plane{m.Y, m.YStride, size.X, size.Y, 1}, orientation)
	t.Cb, t.CStride = turnPlane(plane{m.Cb, m.CStride, width, height, 1}, orientation)
	t.Cr, _ = turnPlane(plane{m.Cr, m.CStride, width, height, 1}, orientation)
	return t, nil
}

// plane is a rectangle of values of some bytes each.
type plane struct {
	pix                          []uint8
	stride, width, height, bytes int
}

// turnPlane returns the turned values and the length of their rows. The source is
// walked from the value that is seen first, by a step for each column that is seen and
// one for each row.
func turnPlane(p plane, orientation int) (pix []uint8, stride int) {
	right, down := p.bytes, p.stride
	endX, endY := (p.width-1)*right, (p.height-1)*down
	walk := [...]struct{ from, column, row int }{
		1: {0, right, down}, 2: {endX, -right, down}, 3: {endX + endY, -right, -down}, 4: {endY, right, -down},
		5: {0, down, right}, 6: {endY, -down, right}, 7: {endX + endY, -down, -right}, 8: {endX, down, -right},
	}[orientation]
	width, height := p.width, p.height
	if swapsSides(orientation) {
		width, height = height, width
	}
	stride = width * p.bytes
	pix = make([]uint8, 0, stride*height)
	for y := range height {
		at := walk.from + y*walk.row
		for range width {
			pix = append(pix, p.pix[at:at+p.bytes]...)
			at += walk.column
		}
	}
	return pix, stride
}
