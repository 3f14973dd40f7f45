package s3

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// Location says where blobs lie: s3://bucket/prefix?endpoint=https://host:9000&region=sa-east-1.
// Without an endpoint it is Amazon's.
type Location struct {
	Bucket string
	Prefix string // without a slash at its ends; "" for none

	host   string // and port
	plain  bool   // http
	region string
}

const (
	amazon        = "s3.amazonaws.com"
	defaultRegion = "us-east-1" // what stores expect that have no regions
)

// ParseLocation reads a location. Its errors say what is wrong in it.
func ParseLocation(text string) (l Location, err error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "s3" || u.Host == "" || u.Fragment != "":
		return l, errors.New("want s3://bucket/prefix?endpoint=https://host:port")
	case u.User != nil:
		return l, errors.New("keys do not belong into the address: set GUICHE_BLOBS_KEY and GUICHE_BLOBS_SECRET")
	}
	l.Bucket, l.Prefix, l.host = u.Host, strings.Trim(u.Path, "/"), amazon
	for name, values := range u.Query() {
		switch name {
		case "endpoint":
			err = l.setEndpoint(values[0])
		case "region":
			l.region = values[0]
		default:
			err = fmt.Errorf("%q is not known there: endpoint and region are", name)
		}
		if err != nil {
			return l, err
		}
	}
	if l.region == "" && l.host != amazon {
		l.region = defaultRegion
	}
	return l, nil
}

func (l *Location) setEndpoint(text string) error {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.User != nil {
		return errors.New("endpoint: want https://host:port")
	}
	l.host, l.plain = u.Host, u.Scheme == "http"
	return nil
}

// String names the place, without how it is reached.
func (l Location) String() string {
	return strings.TrimSuffix("s3://"+l.Bucket+"/"+l.Prefix, "/")
}

// Exposed reports whether somebody on the way could read along: plain http to another machine.
func (l Location) Exposed() bool { return l.plain && !l.local() }

// local reports whether the endpoint is this machine.
func (l Location) local() bool {
	host := l.host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// key is the name of an object below the prefix.
func (l Location) key(name string) string { return strings.TrimPrefix(l.Prefix+"/"+name, "/") }
