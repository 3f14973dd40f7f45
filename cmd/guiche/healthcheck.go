package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"
)

// healthcheck is "guiche healthcheck": it requests /healthz of the server on this
// machine. Over https the certificate is not verified, because it is issued for the
// public name and not for this address.
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

// get requires the status 200 within 4 seconds, less than the 5 of the image's health
// check.
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
