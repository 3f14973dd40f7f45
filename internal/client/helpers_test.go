package client_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/client"
	"guiche/internal/client/faultservice"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// folder keeps blobs as files, as the desk does, without its durability.
type folder struct {
	path   string
	putErr error // what Put returns after reading everything
}

func newFolder(tb testing.TB) *folder { return &folder{path: tb.TempDir()} }

func (f *folder) Put(_ context.Context, r io.Reader) (blob.Info, error) {
	tmp, err := os.CreateTemp(f.path, "tmp-*")
	if err != nil {
		return blob.Info{}, err
	}
	hash := sha256.New()
	size, err := io.Copy(io.MultiWriter(tmp, hash), r)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = f.putErr
	}
	if err != nil {
		return blob.Info{}, err
	}
	ref := blob.Ref(hex.EncodeToString(hash.Sum(nil)))
	return blob.Info{Ref: ref, Size: size}, os.Rename(tmp.Name(), filepath.Join(f.path, string(ref)))
}

func (f *folder) Open(_ context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	file, err := os.Open(filepath.Join(f.path, string(ref)))
	if os.IsNotExist(err) {
		return nil, problem.Wrap(problem.NotFound, "Arquivo não encontrado.", err)
	}
	return file, err
}

func (f *folder) MustPut(tb testing.TB, data []byte) blob.Ref {
	tb.Helper()
	info, err := f.Put(context.Background(), bytes.NewReader(data))
	if err != nil {
		tb.Fatalf("put blob: %v", err)
	}
	return info.Ref
}

func (f *folder) MustRead(tb testing.TB, ref blob.Ref) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(f.path, string(ref)))
	if err != nil {
		tb.Fatalf("read blob: %v", err)
	}
	return data
}

// MustService starts a fault service that ends with the test.
func MustService(tb testing.TB, cfg faultservice.Config) *faultservice.Service {
	tb.Helper()
	s := faultservice.New(cfg)
	if err := s.Start(); err != nil {
		tb.Fatalf("start fault service: %v", err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

// MustClient returns a client of a base URL with short times.
func MustClient(tb testing.TB, baseURL string, blobs client.Blobs, options ...func(*client.Config)) *client.Client {
	tb.Helper()
	cfg := client.Config{
		BaseURL: baseURL, Auth: client.APIKey("chave-1"), Blobs: blobs,
		ConnectTimeout: 5 * time.Second, AnswerTimeout: 20 * time.Second,
		Logger: slog.New(slog.DiscardHandler),
	}
	for _, option := range options {
		option(&cfg)
	}
	c, err := client.New(cfg)
	if err != nil {
		tb.Fatalf("client.New: %v", err)
	}
	tb.Cleanup(c.Close)
	return c
}

func withAnswerTimeout(d time.Duration) func(*client.Config) {
	return func(cfg *client.Config) { cfg.AnswerTimeout = d }
}

// logTo is a log in words.
func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

func withFeatures(f client.Features) func(*client.Config) {
	return func(cfg *client.Config) { cfg.Features = &f }
}

// pair is a client with the service and the blobs behind it.
type pair struct {
	*client.Client
	service *faultservice.Service
	blobs   *folder
}

func MustPair(tb testing.TB, options ...func(*client.Config)) pair {
	tb.Helper()
	service, blobs := MustService(tb, faultservice.Config{}), newFolder(tb)
	return pair{MustClient(tb, service.URL(), blobs, options...), service, blobs}
}

// MustInterpret reads an exchange twice: the results must be equal.
func (p pair) MustInterpret(tb testing.TB, x authorization.Exchange) authorization.Outcome {
	tb.Helper()
	first, err := p.Interpret(context.Background(), x)
	if err != nil {
		tb.Fatalf("Interpret: %v", err)
	}
	second, err := p.Interpret(context.Background(), x)
	if err != nil {
		tb.Fatalf("Interpret again: %v", err)
	}
	if a, b := fmt.Sprintf("%+v", first), fmt.Sprintf("%+v", second); a != b {
		tb.Fatalf("Interpret is not repeatable: got %s, then %s", a, b)
	}
	return first
}

// MustAttachment stores bytes and returns the attachment that names them.
func (p pair) MustAttachment(tb testing.TB, name, contentType string, data []byte) authorization.Attachment {
	tb.Helper()
	return authorization.Attachment{Name: name, ContentType: contentType, Size: int64(len(data)), Blob: p.blobs.MustPut(tb, data)}
}

func id(last int) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("11111111-2222-4333-8444-%012d", last))
}

func ptr[T any](v T) *T { return &v }

// fullRequest has a value in every field but the attachments.
func fullRequest() authorization.Request {
	return authorization.Request{
		CredentialID: id(1), CardNumber: "00012345678900017", CardValidity: authorization.DateOf(2027, time.December, 31),
		BeneficiaryName: `Ana "Nina" d'Ávila <& Cia>`, BeneficiaryPlan: "Plano Ouro",
		Newborn: true, NewbornName: "RN de Ana", NewbornBirth: authorization.DateOf(2026, time.November, 19),
		PatientPresent: true, UnitID: id(2), CarePointID: id(3),
		RequesterName: "João Conceição", RequesterCouncil: "CRM", RequesterNumber: "123456", RequesterState: "SP",
		ProfessionalID: id(4), SpecialtyID: 225, AccidentType: "0", ProviderGuide: "26112010000012300001",
		CareRegime: "U", CareType: "23", Notes: ptr("linha 1\nlinha 2 😀"), ClinicalIndication: ptr("dor torácica"), FollowUp: true,
		Procedures: []authorization.Procedure{{Code: "40304361", Name: "Hemograma", Quantity: 2},
			{Code: "40901122", Name: "US abdome", Quantity: 1}},
		ContactName: "Ana", ContactAreaCode: "11", ContactPhone: "999990000", ContactEmail: "ana@example.org",
	}
}

// plainRequest leaves to defaults what may be left.
func plainRequest() authorization.Request {
	return authorization.Request{
		CredentialID: id(1), CardNumber: "123", BeneficiaryName: "Ana", UnitID: id(2), CarePointID: id(3),
		RequesterName: "João", RequesterCouncil: "CRM", RequesterNumber: "1", RequesterState: "SP",
		ProfessionalID: id(4), SpecialtyID: 7, ProviderGuide: "26112010000012300002",
		Procedures: []authorization.Procedure{{Code: "40304361", Name: "Hemograma", Quantity: 1}},
	}
}

func dispatch(r authorization.Request) authorization.Dispatch {
	return authorization.Dispatch{Request: r, IdempotencyKey: "chave-do-pedido"}
}

// noise returns bytes that do not repeat and do not compress.
func noise(n int) []byte {
	data := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(data) // never fails
	return data
}

// only returns the single entry of an event.
func only(tb testing.TB, s *faultservice.Service, event faultservice.Event) faultservice.Entry {
	tb.Helper()
	var found []faultservice.Entry
	for _, e := range s.Ledger() {
		if e.Event == event {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		tb.Fatalf("entries %q: got %d, want 1", event, len(found))
	}
	return found[0]
}

func contains(tb testing.TB, got, want string) {
	tb.Helper()
	if !strings.Contains(got, want) {
		tb.Errorf("got %q, want it to contain %q", got, want)
	}
}
