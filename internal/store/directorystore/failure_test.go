package directorystore_test

import (
	"context"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/directory"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/directorystore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// TestStore_Failures: every query that fails is an error.
func TestStore_Failures(t *testing.T) {
	unit := centro(directory.CarePoint{UID: pointA, Name: "Balcão 1", Active: true})
	doctor := directory.Professional{UID: doctorID, Name: "Elisa", Active: true,
		Specialties: []directory.Specialty{{ID: 1, Name: "Radiologia"}}}
	plan := directory.Credential{UID: planID, Name: "Vale Sereno", Active: true}
	tsh := directory.Procedure{Code: "40316521", Name: "TSH", Aliases: []string{"hormônio"}, Active: true}
	db := storetest.Open(t, migrations.Desk, nil)
	r := directory.New(newStore(db))
	MustDo(t, r.PutUnits(t.Context(), unit))
	MustDo(t, r.PutProfessionals(t.Context(), doctor))
	MustDo(t, r.PutCredential(t.Context(), plan))
	MustDo(t, r.PutProcedures(t.Context(), tsh))
	MustDo(t, db.Close())

	read := func(tables string, do func(ctx context.Context, s *directorystore.Store) error) storetest.Operation {
		return storetest.Operation{Tables: tables, Do: func(ctx context.Context, db engine.DB) error { return do(ctx, newStore(db)) }}
	}
	write := func(tables string, do func(ctx context.Context, tx directory.Tx) error) storetest.Operation {
		return storetest.Operation{Tables: tables, Do: func(ctx context.Context, db engine.DB) error {
			return newStore(db).Write(ctx, func(tx directory.Tx) error { return do(ctx, tx) })
		}}
	}
	states := directory.SyncStates{
		Units:         map[uuid.UUID]directory.SyncState{unitID: directory.Listed},
		CarePoints:    map[uuid.UUID]directory.SyncState{pointA: directory.Listed},
		Professionals: map[uuid.UUID]directory.SyncState{doctorID: directory.Listed},
	}
	db.CheckFailures(t, map[string]storetest.Operation{
		"Units": read("care_unit care_point", func(ctx context.Context, s *directorystore.Store) error { return second(s.Units(ctx)) }),
		"Unit": read("care_unit care_point",
			func(ctx context.Context, s *directorystore.Store) error { return second(s.Unit(ctx, unitID)) }),
		"Professionals": read("professional professional_specialty",
			func(ctx context.Context, s *directorystore.Store) error { return second(s.Professionals(ctx)) }),
		"Professional": read("professional professional_specialty",
			func(ctx context.Context, s *directorystore.Store) error { return second(s.Professional(ctx, doctorID)) }),
		"Credentials": read("credential", func(ctx context.Context, s *directorystore.Store) error { return second(s.Credentials(ctx)) }),
		"Credential":  read("credential", func(ctx context.Context, s *directorystore.Store) error { return second(s.Credential(ctx, planID)) }),
		"OldestCredentials": read("credential",
			func(ctx context.Context, s *directorystore.Store) error { return second(s.OldestCredentials(ctx, 9)) }),
		"News": read("credential", func(ctx context.Context, s *directorystore.Store) error {
			return second(s.News(ctx, []directory.Credential{plan}))
		}),
		"Source":    read("register_source", func(ctx context.Context, s *directorystore.Store) error { return second(s.Source(ctx)) }),
		"Procedure": read("procedure", func(ctx context.Context, s *directorystore.Store) error { return second(s.Procedure(ctx, tsh.Code)) }),
		"SearchByCode": read("procedure", func(ctx context.Context, s *directorystore.Store) error {
			return second(s.SearchProcedures(ctx, "403", 10))
		}),
		"SearchByWords": read("procedure", func(ctx context.Context, s *directorystore.Store) error {
			return second(s.SearchProcedures(ctx, "tsh", 10))
		}),
		"List": read("procedure", func(ctx context.Context, s *directorystore.Store) error {
			return third(s.ListProcedures(ctx, "", 0, 10))
		}),
		"ListByCode": read("procedure", func(ctx context.Context, s *directorystore.Store) error {
			return third(s.ListProcedures(ctx, "403", 0, 10))
		}),
		"ListByWords": read("procedure", func(ctx context.Context, s *directorystore.Store) error {
			return third(s.ListProcedures(ctx, "tsh", 0, 10))
		}),
		"PutUnit": write("care_unit care_point", func(ctx context.Context, tx directory.Tx) error { return tx.PutUnit(ctx, unit) }),
		"CarePointUnit": write("care_unit care_point",
			func(ctx context.Context, tx directory.Tx) error { return second(tx.CarePointUnit(ctx, pointA)) }),
		"PutProfessional": write("professional professional_specialty",
			func(ctx context.Context, tx directory.Tx) error { return tx.PutProfessional(ctx, doctor) }),
		"PutProcedure":  write("procedure", func(ctx context.Context, tx directory.Tx) error { return second(tx.PutProcedure(ctx, tsh)) }),
		"PutCredential": write("credential", func(ctx context.Context, tx directory.Tx) error { return tx.PutCredential(ctx, plan) }),
		"SeeCredential": write("credential", func(ctx context.Context, tx directory.Tx) error { return tx.SeeCredential(ctx, plan) }),
		"SetSyncStates": write("care_unit care_point professional register_source", func(ctx context.Context, tx directory.Tx) error {
			return tx.SetSyncStates(ctx, "https://outro.example", states)
		}),
		"Append": write("audit_entry", func(ctx context.Context, tx directory.Tx) error {
			return tx.Append(ctx, audit.Entry{Event: audit.DirectoryAdded})
		}),
	})
}

func newStore(db engine.DB) *directorystore.Store {
	return directorystore.New(db, auditlog.New(db, audit.Key{1}))
}

func second[T any](_ T, err error) error { return err }

func third[T, U any](_ T, _ U, err error) error { return err }
