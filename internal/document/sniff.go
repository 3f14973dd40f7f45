package document

import "bytes"

const pdfHeader = "%PDF-"

// format is what the first bytes of a file say it is.
type format struct {
	kind    Kind   // "" for a format that is not accepted
	name    string // for people, with its article
	hostile bool   // not accepted after the end of an image either
}

// signatures are the accepted formats and those that people send by mistake; the
// first that matches counts.
var signatures = []struct {
	offset int
	magic  string
	format format
}{
	{0, pdfHeader, format{kind: PDF}},
	{0, "\xff\xd8\xff", format{kind: JPEG}},
	{0, pngHeader, format{kind: PNG}},
	{4, "ftyphei", heic},
	{4, "ftyphev", heic},
	{4, "ftypmif1", heic},
	{4, "ftypmsf1", heic},
	{4, "ftypavif", format{name: "uma imagem AVIF"}},
	{4, "ftyp", format{name: "um vídeo"}},
	{0, "II*\x00", format{name: "uma imagem TIFF"}},
	{0, "MM\x00*", format{name: "uma imagem TIFF"}},
	{0, "GIF8", format{name: "uma imagem GIF"}},
	{8, "WEBP", format{name: "uma imagem WebP"}},
	{0, "BM", format{name: "uma imagem BMP"}},
	{0, "PK\x03\x04", format{name: "um arquivo ZIP ou do Office", hostile: true}},
	{0, "PK\x05\x06", format{name: "um arquivo ZIP ou do Office", hostile: true}},
	{0, "\xd0\xcf\x11\xe0", format{name: "um documento antigo do Office", hostile: true}},
	{0, "{\\rtf", format{name: "um documento RTF", hostile: true}},
	{0, "7z\xbc\xaf\x27\x1c", format{name: "um arquivo compactado", hostile: true}},
	{0, "Rar!", format{name: "um arquivo compactado", hostile: true}},
	{0, "\x1f\x8b", format{name: "um arquivo compactado", hostile: true}},
	{0, "MZ", format{name: "um programa", hostile: true}},
	{0, "\x7fELF", format{name: "um programa", hostile: true}},
	{0, "#!", format{name: "um programa", hostile: true}},
}

var heic = format{name: "uma foto HEIC; no iPhone, escolha o formato “Mais compatível”"}

// sniff says what format the first bytes are. White space and a byte order mark may
// precede text formats and PDF, as their readers allow.
func sniff(head []byte) format {
	for _, b := range [][]byte{head, trimText(head)} {
		for _, s := range signatures {
			if len(b) >= s.offset && bytes.HasPrefix(b[s.offset:], []byte(s.magic)) {
				return s.format
			}
		}
	}
	return sniffText(bytes.ToLower(trimText(head)))
}

// sniffText names the text formats that people send by mistake, so that the refusal can
// say so.
func sniffText(text []byte) format {
	switch {
	case !bytes.HasPrefix(text, []byte("<")):
		return format{name: "de um formato desconhecido"}
	case bytes.Contains(text, []byte("<svg")):
		return format{name: "um desenho SVG", hostile: true}
	case bytes.Contains(text, []byte("<html")), bytes.Contains(text, []byte("<script")):
		return format{name: "uma página da web (HTML)", hostile: true}
	}
	return format{name: "texto ou XML", hostile: true}
}

// trimText skips what browsers skip before they decide that a file is a page.
func trimText(b []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), "\x00\t\r\n\f ")
}
