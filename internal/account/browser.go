package account

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"time"
)

// A browser that logged in to an account has a budget of its own there. The cookie
// that shows it is a random name and a tag for each account: the day of the login
// and an HMAC over name, account and day. It opens nothing.
const (
	browserLife     = 180 * 24 * time.Hour
	browserAccounts = 8 // of the latest people who share a browser
	browserNameSize = 22
	browserTagSize  = 4 + sha256.Size
)

// RememberBrowser returns what the browser's cookie holds after a login, given what
// it held before.
func (s *Service) RememberBrowser(ctx context.Context, login, cookie string) (value string, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		value = s.remember(foldLogin(login), cookie, tx.Now())
		return nil
	})
	return value, err
}

func (s *Service) remember(login, cookie string, now time.Time) string {
	name, tags := splitBrowser(cookie)
	if name == "" {
		name = newSecret()[:browserNameSize]
	}
	tags = slices.DeleteFunc(tags, func(tag string) bool { return s.tagFits(tag, name, login, now) })
	tags = slices.Insert(tags, 0, s.browserTag(name, login, uint32(now.Unix()/day))) // days fit
	return strings.Join(append([]string{name}, tags[:min(len(tags), browserAccounts)]...), ".")
}

const day = 24 * 60 * 60 // seconds

// knownBrowser returns the name of a browser that logged in to the account before,
// "" for any other.
func (s *Service) knownBrowser(login, cookie string, now time.Time) string {
	name, tags := splitBrowser(cookie)
	if slices.ContainsFunc(tags, func(tag string) bool { return s.tagFits(tag, name, login, now) }) {
		return name
	}
	return ""
}

// splitBrowser returns the name and the tags of a cookie, nothing of one that is
// none of ours.
func splitBrowser(cookie string) (name string, tags []string) {
	if len(cookie) > 1024 {
		return "", nil
	}
	parts := strings.Split(cookie, ".")
	if len(parts) < 2 || len(parts[0]) != browserNameSize {
		return "", nil
	}
	return parts[0], parts[1:min(len(parts), 1+browserAccounts)]
}

func (s *Service) tagFits(tag, name, login string, now time.Time) bool {
	raw, err := base64.RawURLEncoding.DecodeString(tag)
	if err != nil || len(raw) != browserTagSize {
		return false
	}
	since := binary.BigEndian.Uint32(raw)
	if now.Sub(time.Unix(int64(since)*day, 0)) > browserLife {
		return false
	}
	return hmac.Equal([]byte(tag), []byte(s.browserTag(name, login, since)))
}

func (s *Service) browserTag(name, login string, since uint32) string {
	mac := hmac.New(sha256.New, s.browserKey[:])
	raw := binary.BigEndian.AppendUint32(nil, since)
	_, _ = mac.Write(append(raw, name+"\x00"+login...)) // a hash takes everything
	return base64.RawURLEncoding.EncodeToString(mac.Sum(raw))
}
