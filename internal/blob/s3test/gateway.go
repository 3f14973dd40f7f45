package s3test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"time"

	"guiche/internal/atomicfile"
)

// Gateway starts the server alone on a port of this machine, with all that it keeps in a folder. It returns
// where an installation is to keep its blobs, and what ends the server.
func Gateway(ctx context.Context, folder string) (place string, stop func(), err error) {
	binary, err := build(ctx)
	if err != nil {
		return "", nil, err
	}
	if folder, err = filepath.Abs(folder); err != nil { // a relative one the server takes for a part of itself
		return "", nil, err
	}
	buckets, meta := filepath.Join(folder, "buckets"), filepath.Join(folder, "meta")
	err = errors.Join(atomicfile.MkdirAll(filepath.Join(buckets, Bucket), 0o700), atomicfile.MkdirAll(meta, 0o700))
	if err != nil {
		return "", nil, err
	}
	address, err := freePort(ctx)
	if err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, binary, "--port", address, "--access", Key, "--secret", Secret,
		"--quiet", "--keep-alive", "posix", "--sidecar", meta, buckets)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill() // what it keeps goes with its folder
		_ = cmd.Wait()
	}
	if err := awaitPort(ctx, address); err != nil {
		stop()
		return "", nil, fmt.Errorf("%w; it said %q", err, said.String())
	}
	return "s3://" + Bucket + "/guiche?endpoint=http://" + address, stop, nil
}

func freePort(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func awaitPort(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the S3 server does not answer: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
