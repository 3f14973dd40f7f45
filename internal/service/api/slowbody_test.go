package api_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/internal/service/servicetest"
)

// lateBody is a body that comes once the server has asked for it; then something happens first.
type lateBody struct {
	io.Reader
	first func()
}

func (b *lateBody) Read(p []byte) (int, error) {
	if first := b.first; first != nil {
		b.first = nil
		first()
	}
	return b.Reader.Read(p)
}

// TestAPI_SlowBody: with a request whose access ended while its body came no operator is asked.
func TestAPI_SlowBody(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(ctx context.Context, a *admin.Admin, p *servicetest.Partner) error
		want int
	}{
		"Revoked": {func(ctx context.Context, a *admin.Admin, p *servicetest.Partner) error {
			keys, err := a.Keys(ctx, p.Profile.ID)
			for _, k := range keys {
				err = a.RevokeKey(ctx, k.ID)
			}
			return err
		}, http.StatusUnauthorized},
		"Narrowed": {func(ctx context.Context, a *admin.Admin, p *servicetest.Partner) error {
			return a.ChangeProfile(ctx, p.Profile.ID, func(now access.Profile) (access.Profile, error) {
				now.Scopes = []access.Scope{access.ReadDirectory}
				return now, nil
			})
		}, http.StatusForbidden},
		"StillIn": {func(context.Context, *admin.Admin, *servicetest.Partner) error { return nil }, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			p := e.MustPartner(t)
			e.Server.Client().Transport.(*http.Transport).ExpectContinueTimeout = time.Hour // it is sent when it is asked for
			late := &lateBody{strings.NewReader(body(nil)), func() {
				e.Must(c.end(t.Context(), e.Admin, p))
				e.Clock.Move(2 * time.Second)
			}}
			got := e.Send(http.MethodPost, authorizePath, late, http.Header{"X-Api-Key": {p.Key}, "Expect": {"100-continue"}})
			if asked := e.Operator.Authorized.Load(); got.Status != c.want || (asked > 0) != (c.want == http.StatusOK) {
				t.Errorf("got %d, want %d; the operator was asked %d times", got.Status, c.want, asked)
			}
		})
	}
}
