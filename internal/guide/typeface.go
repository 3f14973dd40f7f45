package guide

import "guiche/internal/guide/fonts"

// Ready returns nil when guides can be drawn, and fonts.ErrNotPrepared by a binary
// that was built without their fonts.
func Ready() error {
	_, err := fonts.Load()
	return err
}

// The typefaces; Write has seen that they are there.
func regular() *fonts.Typeface { return typefaces().Regular }
func bold() *fonts.Typeface    { return typefaces().Bold }

func typefaces() fonts.Typefaces {
	loaded, _ := fonts.Load() // only once
	return loaded
}
