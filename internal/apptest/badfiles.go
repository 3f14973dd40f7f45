package apptest

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// BadFile is a file that is refused, and what the person is told.
type BadFile struct {
	Name    string
	Content []byte
	Told    string
}

// BadFiles are the files that people send by mistake, and some that lie.
func BadFiles() []BadFile {
	picture, pdf := PNG(), PDF(4000)
	return []BadFile{
		{"programa.pdf", []byte("MZ\x90\x00 not a PDF at all"), "não é aceito"},
		{"foto.pdf", picture, "o conteúdo é PNG"},
		{"laudo.png", pdf, "o conteúdo é PDF"},
		{"pagina.pdf", []byte("<!doctype html><script>alert(1)</script>"), "não é aceito"},
		{"laudo.exe", pdf, "não termina em"},
		{"vazio.pdf", nil, "está vazio"},
		{"cortado.pdf", pdf[:len(pdf)-600], "incompleto"},
		{"cortado.png", picture[:len(picture)/2], "incompleto"},
		{"enorme.png", pngClaiming(50_000, 50_000), "grande demais"},
		{"grande.pdf", PDF(16 << 20), "15 MB"},
		{"laudo\u202efdp.exe", pdf, "não termina em"},
	}
}

// pngClaiming is a PNG whose header says that size and that has hardly any data.
func pngClaiming(width, height uint32) []byte {
	var b bytes.Buffer
	chunk := func(kind string, data []byte) {
		body := append([]byte(kind), data...)
		_ = binary.Write(&b, binary.BigEndian, uint32(len(data)))
		b.Write(body)
		_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(body))
	}
	b.WriteString("\x89PNG\r\n\x1a\n")
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	chunk("IHDR", append(header, 8, 0, 0, 0, 0))
	chunk("IDAT", []byte{0x78, 0x9c, 0x63, 0, 0, 0, 1, 0, 1})
	chunk("IEND", nil)
	return b.Bytes()
}
