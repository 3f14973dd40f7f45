package component_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"guiche/web/component"
)

// TestMarkup_Text: what somebody typed stays a text, in an element and in an attribute.
func TestMarkup_Text(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "José d'Ávila": "José d&#39;Ávila", `"><script>&amp;`: "&#34;&gt;&lt;script&gt;&amp;amp;", "🫀<": "🫀&lt;",
	} {
		if got := string(component.Markup("").Text(text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		doc := MustRender(t, component.Each([]string{text}, func(m component.Markup, _ int, s *string) component.Markup {
			return m.Raw(`<p title="`).Text(*s).Raw(`">`).Text(*s).Raw("</p>")
		}))
		if p := doc.Find("p"); p.Text() != text || p.AttrOr("title", "(none)") != text || doc.Find("script").Length() > 0 {
			t.Errorf("%q: got %q", text, p.Text())
		}
	}
}

// TestMarkup_Value: an attribute has its value, whatever is in it, and quotes only where it needs them.
func TestMarkup_Value(t *testing.T) {
	for _, text := range []string{"", "sem-resposta", "12", "Ç", "a b", "a=b", "x>y", "d'Ávila", `"`, "a`b", "/", "a&amp;b"} {
		m := component.Markup("<p title=").Value(text).Raw(">não")
		doc := MustRender(t, component.Each([]int{0}, func(component.Markup, int, *int) component.Markup { return m }))
		if p := doc.Find("p"); p.AttrOr("title", "(none)") != text || p.Text() != "não" {
			t.Errorf("%q: got %q", text, m)
		}
	}
	if got := string(component.Markup("").Value("sem-resposta")); got != "sem-resposta" {
		t.Errorf("got %s, want no quotes", got)
	}
}

// TestEach: nothing of one page is on the next.
func TestEach(t *testing.T) {
	add := func(m component.Markup, i int, s *string) component.Markup { return m.Raw("<i>").Text(*s).Raw("</i>") }
	for _, all := range [][]string{{"uma", "duas", "três"}, {"só"}, nil} {
		var b bytes.Buffer
		if err := component.Each(all, add).Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		want := ""
		for _, one := range all {
			want += "<i>" + one + "</i>"
		}
		if b.String() != want {
			t.Errorf("got %q, want %q", b.String(), want)
		}
	}
	t.Run("ErrWrite", func(t *testing.T) {
		if err := component.Each([]string{"uma"}, add).Render(context.Background(), broken{}); !errors.Is(err, errBroken) {
			t.Errorf("got %v", err)
		}
	})
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }
