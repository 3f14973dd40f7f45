package e2e_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"

	cd "github.com/chromedp/chromedp"
)

var pictures = flag.String("screenshots", "", "folder to write the pictures of every page to")

// picture writes a PNG of the whole page: into the folder of -screenshots, or,
// of a failed test, beside the other results of the test run.
func (b *browser) picture(name string) string {
	folder := *pictures
	if folder == "" {
		folder = os.Getenv("GUICHE_TEST_PICTURES")
	}
	if folder == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	// The window grows to the page, so that what sticks to its edges is where it
	// belongs.
	width, height := eval[int64](b, "innerWidth"), eval[int64](b, "innerHeight")
	b.size(width, max(height, eval[int64](b, "document.documentElement.scrollHeight")))
	defer b.size(width, height)
	eval[bool](b, "(scrollTo(0, 0), true)") // what is as high as the window has grown with it
	shot, err := cd.Run(ctx, cd.CaptureScreenshot())
	if err != nil {
		b.t.Logf("no picture %s: %v", name, err)
		return ""
	}
	file := filepath.Join(folder, strings.ReplaceAll(b.t.Name(), "/", "-")+"-"+name+".png")
	if *pictures != "" {
		file = filepath.Join(folder, name+".png")
	}
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(file, shot, 0o644)); err != nil {
		b.t.Logf("no picture %s: %v", name, err)
	}
	return file
}
