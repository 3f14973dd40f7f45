package page_test

import (
	"testing"

	"guiche/web/component"
	"guiche/web/page"
)

// synchroniseViews lists the pages of taking lists from the service.
func synchroniseViews() []view {
	done := synchronise()
	done.Button, done.Message, done.Skipped = "", "Os cadastros já estão como no serviço.", nil
	return []view{
		{"sincronizar", page.SynchronisePage(synchronise())},
		{"sincronizar-nada", page.SynchronisePage(done)},
		{"sincronizar-falhou", page.SynchronisePage(page.SynchroniseView{Page: admin("Sincronizar do serviço"),
			Notice: &component.Notice{Tone: component.ToneError, Icon: "x-octagon", Strong: "Não deu."}})},
	}
}

func synchronise() page.SynchroniseView {
	return page.SynchroniseView{Page: admin("Sincronizar do serviço"), Button: "Fazer 1 mudança", Fingerprint: "f1",
		Lists: []page.SyncList{
			{ID: "unidades", Title: "Unidades", Count: "o serviço lista 3 unidades", Local: []string{"Sede"},
				Changes: []page.SyncChange{{Name: "Centro", Word: "muda", Icon: "pencil", Tone: component.ToneWaiting,
					Lines: []string{"Nome: Centro → Sede"}}}},
			{ID: "executantes", Title: "Executantes", Unchanged: "Nada muda."},
		},
		Skipped: []page.SyncSkipped{{Name: "Sem nome", Reason: "sem identificador"}}}
}

func TestSynchronisePage(t *testing.T) {
	m := synchronise()
	doc := MustRender(t, page.SynchronisePage(m))
	wantText(t, doc, "[aria-labelledby=unidades] .tone-waiting", "Centro: muda")
	wantText(t, doc, "[aria-labelledby=unidades] li span", "Nome: Centro → Sede")
	wantText(t, doc, "[aria-labelledby=unidades] ul:last-child li", "Sede")
	wantText(t, doc, "[aria-labelledby=executantes] p", "Nada muda.")
	wantText(t, doc, "[aria-labelledby=de-fora] li", "Sem nome sem identificador")
	wantAttr(t, doc, "input[name=conferido]", "value", "f1")
	wantText(t, doc, "main form button", "Fazer 1 mudança")
	m.Button, m.Message, m.Skipped = "", "Os cadastros já estão como no serviço.", nil
	done := MustRender(t, page.SynchronisePage(m))
	wantText(t, done, "main div > p > b", "Os cadastros já estão como no serviço.")
	wantCount(t, done, "main form button, input[name=conferido], [aria-labelledby=de-fora]", 0)
}
