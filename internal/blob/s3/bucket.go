// Package s3 keeps blobs as objects of a bucket, each under its hash. On their way there they
// lie in a folder of this machine, which also says what is held.
package s3

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"guiche/internal/blob"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Config says which bucket, and how it is reached.
type Config struct {
	Location    Location
	Key, Secret string
	Insecure    bool           // plain http to another machine, and certificates that nobody vouches for
	Authorities *x509.CertPool // that may sign the endpoint's certificate; nil means the system's
	Patience    time.Duration  // that the store may take to answer, or to move on; 0 means 20 s
}

// Bucket is the part of a bucket that holds the blobs of one half.
type Bucket struct {
	location Location
	half     string
	core     *minio.Core
	patience time.Duration
}

const (
	// tries is how often a request is made that failed in a way that may pass.
	tries = 3
	// slowest is the least that a connection must carry, in bytes a second.
	slowest = 64 << 10

	connectPatience = 5 * time.Second
)

// New returns the bucket; nothing is asked of it yet.
func New(c Config) (*Bucket, error) {
	if c.Location.Exposed() && !c.Insecure {
		return nil, errors.New("plain http to another machine shows health data to whoever is on the way: " +
			"use https, or GUICHE_BLOBS_INSECURE=true")
	}
	if c.Patience == 0 {
		c.Patience = 20 * time.Second
	}
	core, err := minio.NewCore(c.Location.host, &minio.Options{
		Creds: credentials.NewStaticV4(c.Key, c.Secret, ""), Secure: !c.Location.plain, Region: c.Location.region,
		Transport: transport(c), MaxRetries: tries,
	})
	if err != nil {
		return nil, fmt.Errorf("s3: %w", err)
	}
	return &Bucket{location: c.Location, core: core, patience: c.Patience}, nil
}

// transport is a way to the store that no proxy of the environment takes part in.
func transport(c Config) http.RoundTripper {
	dialer := net.Dialer{Timeout: min(connectPatience, c.Patience), KeepAlive: 15 * time.Second}
	return &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: min(connectPatience, c.Patience),
		ResponseHeaderTimeout: c.Patience, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 16,
		DisableCompression: true,
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.Authorities,
			InsecureSkipVerify: c.Insecure}, //nolint:gosec // asked for in so many words, and each start warns
	}
}

// Of is the part of the bucket that belongs to a half.
func (b *Bucket) Of(half string) *Bucket {
	part := *b
	part.half = half
	return &part
}

// Location is where the bucket is.
func (b *Bucket) Location() Location { return b.location }

// Place names a blob for a person.
func (b *Bucket) Place(ref blob.Ref) string {
	return "s3://" + b.location.Bucket + "/" + b.key(ref)
}

func (b *Bucket) key(ref blob.Ref) string { return b.location.key(b.half + "/" + ref.Path()) }

// Stat returns the size of a blob. It asks for a list of one: the answer to a HEAD has no room
// to say that it is the bucket that is missing.
func (b *Bucket) Stat(ctx context.Context, ref blob.Ref) (info blob.Info, err error) {
	if err := ref.Check(); err != nil {
		return info, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	err = b.List(ctx, string(ref), func(s Stored) error {
		info = s.Info
		return nil
	})
	if err == nil && info.Ref == "" {
		err = missing
	}
	return info, err
}

// Delete removes a blob; it is no error when there is none.
func (b *Bucket) Delete(ctx context.Context, ref blob.Ref) error {
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	return failure("delete", b.core.RemoveObject(ctx, b.location.Bucket, b.key(ref), minio.RemoveObjectOptions{}))
}

// Stored is a blob as a list of the bucket tells of it.
type Stored struct {
	blob.Info
	At time.Time // when it was stored last, by the store's clock
}

// List calls each with the blobs whose names begin so; shard has two digits at least.
func (b *Bucket) List(ctx context.Context, shard string, each func(Stored) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the listing where each has failed
	prefix := b.location.key(b.half+"/blobs/") + shard[:2] + "/" + shard
	for object := range b.core.ListObjectsIter(ctx, b.location.Bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if object.Err != nil {
			return failure("list", object.Err)
		}
		ref := blob.Ref(object.Key[strings.LastIndexByte(object.Key, '/')+1:])
		if ref.Check() != nil {
			continue
		}
		if err := each(Stored{blob.Info{Ref: ref, Size: object.Size}, object.LastModified}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// ownerName is the object that names the installation whose blobs these are: whoever removes
// what no row names must know whose rows they are.
const ownerName = "installation"

// Owner names the installation whose bucket this is, "" where nobody has claimed it.
func (b *Bucket) Owner(ctx context.Context) (string, error) {
	name, err := b.readLine(ctx, b.location.key(ownerName), "look whose it is")
	return strings.TrimSpace(name), err
}

// Claim makes an installation the owner, whoever was it before.
func (b *Bucket) Claim(ctx context.Context, owner string) error {
	return b.writeLine(ctx, b.location.key(ownerName), owner, "claim")
}

// readLine returns what a small object holds, "" where there is none.
func (b *Bucket) readLine(ctx context.Context, key, doing string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	content, _, _, err := b.core.GetObject(ctx, b.location.Bucket, key, minio.GetObjectOptions{})
	if err == nil {
		var line []byte
		line, err = io.ReadAll(io.LimitReader(content, longestLine))
		if err = errors.Join(err, content.Close()); err == nil {
			return string(line), nil
		}
	}
	if isMissing(err) {
		return "", nil
	}
	return "", failure(doing, err)
}

// longestLine bounds what is read of an object that holds a line.
const longestLine = 200

func (b *Bucket) writeLine(ctx context.Context, key, line, doing string) error {
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	_, err := b.core.Client.PutObject(ctx, b.location.Bucket, key, strings.NewReader(line), int64(len(line)),
		minio.PutObjectOptions{DisableMultipart: true, ContentType: "text/plain"})
	return failure(doing, err)
}

// headName is the object with the head of the half's audit trail.
const headName = "audit.head"

// ReadHead implements auditlog.HeadPlace.
func (b *Bucket) ReadHead(ctx context.Context) (string, error) {
	return b.readLine(ctx, b.location.key(b.half+"/"+headName), "read the head of the audit trail")
}

// WriteHead implements auditlog.HeadPlace.
func (b *Bucket) WriteHead(ctx context.Context, line string) error {
	return b.writeLine(ctx, b.location.key(b.half+"/"+headName), line, "write the head of the audit trail")
}
