package service

import "context"

// HasCredentials reports whether there is any credential that can be used.
func (a *Admin) HasCredentials(ctx context.Context) (bool, error) {
	page, err := a.s.store.SearchCredentials(ctx, CredentialQuery{Page: 1, Size: 1})
	return page.Total > 0, err
}
