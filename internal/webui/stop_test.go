package webui_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestStop_Hanging: a service that never answers does not keep the program from stopping;
// the next start says that nobody knows what became of the request.
func TestStop_Hanging(t *testing.T) {
	t.Parallel()
	quick := func(c *app.Config) { c.Shutdown = time.Second }
	server := apptest.Start(t, apptest.Options{Configure: quick})
	admin, clerk := server.LogIn(t, apptest.Administration), server.LogIn(t, apptest.Reception)
	reached, release := make(chan struct{}), make(chan struct{})
	hanging := apptest.StartOtherService(t, func(o *apptest.OtherService) {
		o.Tokens = map[string]http.HandlerFunc{"/api/v2/autorizar/sp-sadt": func(http.ResponseWriter, *http.Request) {
			close(reached)
			<-release
		}}
	})
	defer close(release)
	admin.ConnectTo(t, hanging, nil)
	address, form := clerk.NewDraft()
	page := clerk.Submit(address, form)
	<-reached
	server.Stop()
	server.Restart(quick)
	if got := server.LogIn(t, apptest.Reception).Get(page.Path).Text("main"); !strings.Contains(got, "Enviado sem resposta") {
		t.Errorf("got %q", got)
	}
}
