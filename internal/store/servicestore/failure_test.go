package servicestore_test

import (
	"context"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/store/engine"
	"guiche/internal/store/servicestore"
	"guiche/internal/store/storetest"
	"guiche/migrations"
)

// TestStore_Failures: every question that the database cannot answer is an error, and not
// that there is nothing.
func TestStore_Failures(t *testing.T) {
	db := storetest.Open(t, migrations.Service, clock)
	f := mustStoreIn(t, db)
	w := f.mustWorld(t)
	must(t, db.Close())
	tables := map[string]string{
		"Credential": "credential", "CredentialByEligibility": "credential", "SearchCredentials": "credential",
		"Unit": "unit", "Units": "unit", "Professional": "professional", "Professionals": "professional",
		"References": "credential care_point professional", "Request": "request", "RequestByKey": "profile",
		"RequestByGuide": "request profile", "RequestByGuideID": "profile",
		"Authorization": "authorization_entry", "Authorizations": "authorization_entry request",
		"LedgerAuthorization": "authorization_entry", "Action": "act", "ActionByKey": "profile", "Due": "task",
		"Ledger": "request request_blob authorization_entry", "LedgerEntry": "request decision authorization_entry",
		"AttachmentBlobs": "request_blob request",
		"SentBytes":       "profile_usage profile", "Traffic": "traffic_process",
	}
	operations := map[string]storetest.Operation{}
	for name := range f.readers(w.answered) {
		operations[name] = storetest.Operation{Tables: tables[name], Do: func(ctx context.Context, db engine.DB) error {
			err := fixture{Store: servicestore.New(db), db: db}.readers(w.answered)[name](ctx)
			if problem.Is(err, problem.NotFound) {
				return nil // the identifier is of something else
			}
			return err
		}}
	}
	db.CheckFailures(t, operations)
}
