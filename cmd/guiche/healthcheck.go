package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"
)

// healthcheck asks the server on this machine for /healthz: by http, or by https
// where a certificate is configured (whose name is another one, so only here it
// is not checked).
func healthcheck(ctx context.Context, env environment) error {
	var addr, cert string
	s := newSettings("healthcheck", env)
	s.flags.StringVar(&addr, "addr", defaultAddr, "address that the server listens on")
	s.flags.StringVar(&cert, "tls-cert", "", "set when the server speaks TLS")
	if err := s.parse(env.args); err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("GUICHE_ADDR: %q is not host:port: %w", addr, err)
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme := "http"
	if cert != "" {
		scheme = "https"
	}
	return get(ctx, scheme+"://"+net.JoinHostPort(host, port)+"/healthz")
}

// get fails unless the address answers 200 within 4 seconds, below the 5 that the
// image's health check allows.
func get(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // loopback only, and nothing is sent
	}}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("healthz answered %d", res.StatusCode)
	}
	return nil
}
