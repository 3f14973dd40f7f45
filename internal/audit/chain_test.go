package audit_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"

	"github.com/google/uuid"
)

var key = audit.Key{1, 2, 3}

// chain returns n links with every field set.
func chain(n int) []audit.Link {
	var links []audit.Link
	var head audit.Head
	for i := range n {
		link := key.Next(head, audit.Entry{
			At: time.UnixMicro(int64(i + 1)), Actor: uuid.UUID{1, byte(i)}, Event: audit.CaseViewed,
			Object: audit.ObjectCase, ObjectID: uuid.UUID{2, byte(i)}, Detail: fmt.Sprint("n=", i),
		})
		links = append(links, link)
		head = link.Head
	}
	return links
}

func sequence(links []audit.Link) iter.Seq2[audit.Link, error] {
	return func(yield func(audit.Link, error) bool) {
		for _, link := range links {
			if !yield(link, nil) {
				return
			}
		}
	}
}

// TestKey_Next_KnownAnswer: the MACs of stored trails never change their meaning.
func TestKey_Next_KnownAnswer(t *testing.T) {
	links := chain(2)
	for i, want := range []string{
		"4ba212b20991a6a7bc29197f2742eab4afb00c8681186949ad6443dc2e4e8295",
		"895629d002526448c1d9570d7894f4300e4e6176176198d2030f386f1fc29d5c",
	} {
		if got := fmt.Sprintf("%x", links[i].MAC); got != want || links[i].Position != int64(i+1) {
			t.Errorf("got %s at %d, want %s at %d", got, links[i].Position, want, i+1)
		}
	}
}

// TestKey_KnownAnswer_Origin: the same of entries with an address, and of seals of either kind.
func TestKey_KnownAnswer_Origin(t *testing.T) {
	plain := chain(1)[0].Entry
	from := plain
	from.Origin = audit.Origin{Address: "192.0.2.7", Salt: [32]byte{4}, Digest: [32]byte{5}}
	for name, tt := range map[string]struct {
		mac  audit.MAC
		want string
	}{
		"Link":        {key.Next(audit.Head{}, from).MAC, "72c7deb29e94abbb527cff2a76501b717b2f879bc915b04015689cf43f6c5922"},
		"Seal":        {key.Seal(from, time.UnixMicro(7)), "6132d637fd57ed6f4619aca00fa0994bb01857c578a5bd96fda83080edca7a74"},
		"SealWithout": {key.Seal(plain, time.UnixMicro(7)), "82316572ad952189b915afa3f246782df5b155df5b6d286bd1254638efa736ad"},
	} {
		if got := fmt.Sprintf("%x", tt.mac); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// TestKey_Seal: the seal of an entry without a place is of all that it says, and no MAC of the chain.
func TestKey_Seal(t *testing.T) {
	e := traced(1)[0].Entry
	e.Object, e.Detail = audit.ObjectCase, "n=1"
	seal := key.Seal(e, time.UnixMicro(5))
	if got := key.Seal(e, time.UnixMicro(5)); got != seal {
		t.Error("got another seal of the same entry")
	}
	others := map[string]audit.MAC{
		"Key": audit.Key{9}.Seal(e, time.UnixMicro(5)), "Since": key.Seal(e, time.Time{}), "Chain": key.Next(audit.Head{}, e).MAC,
	}
	for name, change := range map[string]func(*audit.Entry){
		"At":     func(e *audit.Entry) { e.At = e.At.Add(time.Microsecond) },
		"Actor":  func(e *audit.Entry) { e.Actor[15]++ },
		"Event":  func(e *audit.Entry) { e.Event = audit.GuideOpened },
		"Object": func(e *audit.Entry) { e.Object, e.Detail = e.Object+e.Detail, "" },
		"Detail": func(e *audit.Entry) { e.Detail += "x" },
		"Digest": func(e *audit.Entry) { e.Origin.Digest[0]++ },
	} {
		other := e
		change(&other)
		others[name] = key.Seal(other, time.UnixMicro(5))
	}
	for name, other := range others {
		if other == seal {
			t.Errorf("%s: got the same seal, want another", name)
		}
	}
}

func TestBrokenError_Error(t *testing.T) {
	err := &audit.BrokenError{Position: 7, Reason: "the entry is missing"}
	if got, want := err.Error(), "audit: chain broken at entry 7: the entry is missing"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestKey_Verify(t *testing.T) {
	t.Run("Intact", func(t *testing.T) {
		links := chain(5)
		head, err := key.Verify(sequence(links))
		if err != nil || head != links[4].Head {
			t.Errorf("got %v, error %v, want %v", head, err, links[4].Head)
		}
	})
	t.Run("Empty", func(t *testing.T) {
		if head, err := key.Verify(sequence(nil)); err != nil || head != (audit.Head{}) {
			t.Errorf("got %v, error %v, want the zero head", head, err)
		}
	})
	t.Run("ErrorOfTheSource", func(t *testing.T) {
		source := errors.New("source")
		_, err := key.Verify(func(yield func(audit.Link, error) bool) { yield(audit.Link{}, source) })
		if !errors.Is(err, source) {
			t.Errorf("got %v, want that of the source", err)
		}
		_, err = key.Verify(func(yield func(audit.Link, error) bool) {
			_ = yield(chain(2)[1], nil) && yield(audit.Link{}, source)
		})
		if !errors.Is(err, source) {
			t.Errorf("behind a break: got %v, want that of the source", err)
		}
	})
}

func TestKey_Verify_Tampering(t *testing.T) {
	alter := func(change func(*audit.Link)) func([]audit.Link, int) []audit.Link {
		return func(links []audit.Link, at int) []audit.Link { change(&links[at]); return links }
	}
	for name, tamper := range map[string]func(links []audit.Link, at int) []audit.Link{
		"At":       alter(func(l *audit.Link) { l.Entry.At = l.Entry.At.Add(time.Microsecond) }),
		"Actor":    alter(func(l *audit.Link) { l.Entry.Actor[15]++ }),
		"Event":    alter(func(l *audit.Link) { l.Entry.Event = audit.GuideOpened }),
		"Object":   alter(func(l *audit.Link) { l.Entry.Object = "" }),
		"ObjectID": alter(func(l *audit.Link) { l.Entry.ObjectID[0]++ }),
		"Detail":   alter(func(l *audit.Link) { l.Entry.Detail += " " }),
		"MAC":      alter(func(l *audit.Link) { l.MAC[31]++ }),
		"Boundary": alter(func(l *audit.Link) { l.Entry.Object, l.Entry.Detail = "cas", "o"+l.Entry.Detail }),
		"OtherKey": alter(func(l *audit.Link) { l.MAC = audit.Key{9}.Next(audit.Head{Position: l.Position - 1}, l.Entry).MAC }),
		"Delete":   func(links []audit.Link, at int) []audit.Link { return slices.Delete(links, at, at+1) },
		"DeleteAndRenumber": func(links []audit.Link, at int) []audit.Link {
			links = slices.Delete(links, at, at+1)
			for i := at; i < len(links); i++ {
				links[i].Position--
			}
			return links
		},
		"Swap": func(links []audit.Link, at int) []audit.Link {
			links[at].Entry, links[at+1].Entry = links[at+1].Entry, links[at].Entry
			return links
		},
		"SwapWithMAC": func(links []audit.Link, at int) []audit.Link {
			links[at], links[at+1] = links[at+1], links[at]
			links[at].Position, links[at+1].Position = links[at+1].Position, links[at].Position
			return links
		},
		"Insert": func(links []audit.Link, at int) []audit.Link { return slices.Insert(links, at, links[at+1]) },
	} {
		t.Run(name, func(t *testing.T) {
			for at := range 8 {
				_, err := key.Verify(sequence(tamper(chain(10), at)))
				var broken *audit.BrokenError
				if !errors.As(err, &broken) || broken.Position != int64(at+1) {
					t.Errorf("at entry %d: got %v, want it named", at+1, err)
				}
			}
		})
	}
}
