package static

import (
	_ "embed" // the record of the pictures
	"encoding/json"
)

// ManualPicture is a picture of the manual: a part of a page of the demo, as it was drawn
// for the help page.
type ManualPicture struct {
	Width  int      `json:"width"` // in points of the page
	Height int      `json:"height"`
	SHA256 string   `json:"sha256"` // of the file manual/NAME.webp
	Texts  []string `json:"texts"`  // labels, buttons and headings that it shows
}

//go:embed manual/pictures.json
var manualRecord []byte

var manualPictures = readManual(manualRecord)

// Manual returns what is recorded of the pictures of the manual, by name. Each is served as
// Path("manual-NAME.webp").
func Manual() map[string]ManualPicture { return manualPictures }

func readManual(record []byte) (pictures map[string]ManualPicture) {
	if err := json.Unmarshal(record, &pictures); err != nil {
		panic(err) // it is compiled in
	}
	return pictures
}
