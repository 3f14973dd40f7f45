package torture_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/blob/s3test"
	"guiche/internal/keyfile"
	"guiche/internal/notrun"
	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/keystore"
	"guiche/internal/torture"
)

// TestRun_Cluster: three processes of the desk and two of the service share a PostgreSQL server and a bucket
// behind a balancer; people send forms to the ones, and partners ask the others. While they are killed one at
// a time, one of each hangs past its lease, the server is killed and the bucket fails, nothing is lost or
// doubled, every doubt is flagged, pages follow what other processes do, nobody has to log in again and the audit trail stays whole.
// GUICHE_CLUSTER names how many forms; a kill comes with every 20 of them, a round of faults with 1,000.
func TestRun_Cluster(t *testing.T) {
	t.Parallel()
	balancer, err := exec.LookPath("haproxy")
	if err != nil {
		notrun.Say(t, "several processes behind a balancer: haproxy is not found (Debian: apt-get install haproxy)")
		t.SkipNow()
	}
	pg, bucket := postgrestest.Start(t), s3test.Start(t)
	if bucket == nil {
		return
	}
	forms, _ := strconv.Atoi(os.Getenv("GUICHE_CLUSTER"))
	if forms == 0 {
		forms = 60
	}
	database := pg.Database(t)
	var log bytes.Buffer
	got := run(t, func(o *torture.Options) {
		o.Kinds, o.Submissions, o.Kills, o.Faults, o.Log = []torture.Kind{torture.Both}, forms, forms/20, 0.2, &log
		o.Cluster = &torture.Cluster{
			Processes: 3, Services: 2, Partners: 2,
			Database: database, Blobs: bucket.Place(), BlobsKey: s3test.Key, BlobsWord: s3test.Secret, Balancer: balancer,
			Rounds: 1 + forms/1000, KillDatabase: func() { pg.Kill(t) }, StartDatabase: func() { pg.Start(t) },
			FailBlobs: func(fails bool) {
				if bucket.Fail(nil); fails {
					bucket.Fail(s3test.Answer(503, "SlowDown"))
				}
			},
		}
		o.Quiet = 2 * time.Minute
		o.After = verifyCluster
	})
	if got.Wrong() || got.Acted == 0 || got.Asked == 0 || got.Followed == 0 || got.Troubles[torture.LoggedOut] > 0 {
		t.Errorf("got %s, wrong: %v, %d pages followed another process, %d logins again\n%s", got.Line(), got.Wrong(), got.Followed,
			got.Troubles[torture.LoggedOut], &log)
	}
	t.Logf("%s\n%s", got.Line(), &log)
}

// verifyCluster checks the audit trail, that lists show what the cases are, and that no entry waits for
// its place in the trail.
func verifyCluster(ctx context.Context, o torture.Options, folder string) (err error) {
	db, err := postgres.Open(ctx, postgres.Options{URL: o.Cluster.Database, Schema: "desk"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	place, err := keyfile.ParsePlace(filepath.Join(folder, "keys"))
	if err != nil {
		return err
	}
	keys, err := keyfile.Open(ctx, place, keystore.New(db))
	if err != nil {
		return err
	}
	trail := auditlog.New(db, audit.Key(keys.Key(keyfile.Audit)))
	head, err := trail.Head(ctx)
	if err == nil && head.Position == 0 {
		err = errors.New("the audit trail is empty")
	}
	differing, listErr := deskstore.New(db, trail).CheckLists(ctx, nil)
	if len(differing) > 0 {
		listErr = fmt.Errorf("lists differ from their cases: %v", differing)
	}
	return errors.Join(err, trail.Verify(ctx), listErr)
}
