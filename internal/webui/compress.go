package webui

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
	"github.com/labstack/echo/v4"
)

// compress sends pages smaller. The length of a compressed page tells how much of it is
// said twice. Whoever can have a page made with words of their choice beside a secret, and
// sees the lengths on the line, finds out the secret bit by bit (BREACH). So:
//
//   - what shows a secret is sent as it is: uncompressed lists it;
//   - pages outside of that hold no secret (no form tokens: the origin is checked), and
//     another site cannot have them made (forms of other sites are refused, cookies are
//     SameSite=Lax). What they say of patients has its length blurred by a random part;
//   - files are not pages, and the service's answers are not compressed at all.
func compress(pages http.Handler) (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.ContentTypes([]string{"text/html"}), gzhttp.CompressionLevel(compression),
		gzhttp.EnableZstd(false), gzhttp.RandomJitter(maxBlur, 0, false))
	if err != nil {
		return nil, err
	}
	return wrap(pages), nil
}

const (
	compression = 6  // more takes longer than it saves
	maxBlur     = 32 // bytes added at random
)

// uncompressed are the routes whose answer shows a secret: a one-time link, a new key, the
// secret of a client, the password of a user, the code of a phone, each by the method that
// shows it.
var uncompressed = map[string]bool{
	"GET /ativar/:token": true, "POST /ativar/:token": true,
	"POST /pessoas/nova": true, "POST /pessoas/:uid/convite": true,
	"POST /servico/parceiros/:uid/chaves": true, "POST /servico/parceiros/:uid/clientes": true,
	"POST /nova/:uid/celular":               true,
	"POST /servico/parceiros/:uid/usuarios": true, "POST /servico/parceiros/:uid/usuarios/:usuario/senha": true,
}

// sendPlain keeps the answer of a route from being compressed where it shows a secret.
func (r route) sendPlain(c echo.Context) {
	if uncompressed[r.method+" "+r.path] {
		noCompression(c)
	}
}

// noCompression keeps an answer from being compressed.
func noCompression(c echo.Context) { c.Response().Header().Set(gzhttp.HeaderNoCompression, "1") }
