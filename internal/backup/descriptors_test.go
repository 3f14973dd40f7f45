//go:build unix

package backup_test

import (
	"context"
	"errors"
	"syscall"
	"testing"

	"guiche/internal/backup"
	"guiche/internal/limittest"
)

// TestVerify_NoDescriptors: a process that can open nothing more finds no damage in what is whole, and says that it
// did not look.
func TestVerify_NoDescriptors(t *testing.T) {
	i := MustInstall(t)
	made := i.MustMake(t)
	opened := map[string]backup.Contents{}
	for _, h := range i.halves() {
		c, err := i.look(t.Context(), backup.Place{Half: h.Name, Path: i.data + "/" + h.Name + "/" + h.File, InUse: true})
		MustDo(t, err)
		opened[h.Name] = c
	}
	ready := func(_ context.Context, p backup.Place) (backup.Contents, error) { return opened[p.Half], nil }
	for name, check := range map[string]func() (backup.Report, error){
		"Backup": func() (backup.Report, error) {
			return backup.Verify(t.Context(), made.Path, backup.VerifyConfig{Look: i.look})
		},
		"Database": func() (backup.Report, error) { return backup.VerifyData(t.Context(), i.data, "", i.halves(), i.look) },
		"Files":    func() (backup.Report, error) { return backup.VerifyData(t.Context(), i.data, "", i.halves(), ready) },
	} {
		var r backup.Report
		var err error
		limittest.WithoutDescriptors(t, func() { r, err = check() })
		if !errors.Is(err, syscall.EMFILE) || !r.Whole() {
			t.Errorf("%s: got %q, %v, want no damage and why nothing was checked", name, r.Damage, err)
		}
		if r, err := check(); err != nil || !r.Whole() {
			t.Errorf("%s, with descriptors again: got %q, %v", name, r.Damage, err)
		}
	}
}
