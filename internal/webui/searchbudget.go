package webui

import (
	"net/http"
	"sync"
	"time"

	"guiche/internal/problem"

	"github.com/google/uuid"
	"golang.org/x/time/rate"
)

// A person may search this often: far more than somebody types, and far less than a
// program that goes through the records.
const (
	searchesAtOnce    = 300
	searchesPerSecond = 5
)

// searchBudgets count the searches of each user. They are forgotten with the process:
// they keep the database free for others, and decide nothing.
type searchBudgets struct {
	mu     sync.Mutex
	byUser map[uuid.UUID]*rate.Limiter
}

// take counts a search, or says that the person has to wait.
func (b *searchBudgets) take(user uuid.UUID, now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.byUser == nil {
		b.byUser = map[uuid.UUID]*rate.Limiter{}
	}
	limiter := b.byUser[user]
	if limiter == nil {
		limiter = rate.NewLimiter(searchesPerSecond, searchesAtOnce)
		b.byUser[user] = limiter
	}
	if !limiter.AllowN(now, 1) {
		return problem.New(problem.Throttled, "Muitas buscas em pouco tempo. Espere alguns segundos e tente de novo.")
	}
	return nil
}

// searchRoutes are the routes that search by what is posted.
var searchRoutes = map[string]bool{
	"/busca/quem": true, "/busca/solicitantes": true, "/busca/elegibilidade": true,
	"/busca/credenciais": true, "/busca/procedimentos": true, "/historico": true, "/pessoas": true, "/auditoria": true,
	"/cadastros/unidades": true, "/cadastros/executantes": true, "/cadastros/procedimentos": true, "/cadastros/credenciais": true,
	"/servico/credenciais": true, "/servico/unidades": true, "/servico/profissionais": true, "/servico/registro": true,
	"/servico/descricao": true,
}

// isSearch reports whether a route searches.
func (r route) isSearch() bool { return r.method == http.MethodPost && searchRoutes[r.path] }
