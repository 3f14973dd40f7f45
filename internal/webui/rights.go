package webui

// Route is one row of the table of routes, for whoever holds the program to it.
type Route struct {
	Method  string
	Pattern string // "/casos/:uid"
	Access  string // "open", "person" (logged in), or the permission it asks for
}

// Routes lists the whole surface of an installation with a desk.
func Routes() []Route {
	s := &server{}
	s.front = &front{server: s}
	return s.list()
}

// AloneRoutes lists the whole surface of the service alone.
func AloneRoutes() []Route { return (&server{}).list() }

func (s *server) list() []Route {
	table := s.routes()
	routes := make([]Route, len(table))
	for i, r := range table {
		routes[i] = Route{Method: r.method, Pattern: r.path, Access: string(r.access)}
	}
	return routes
}
