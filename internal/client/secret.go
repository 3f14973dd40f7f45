package client

import "log/slog"

// Secret is a password, a client_secret or a token. It keeps itself out of
// formatted texts and logs.
type Secret string

// String implements fmt.Stringer.
func (Secret) String() string { return "[segredo]" }

// GoString implements fmt.GoStringer.
func (Secret) GoString() string { return "[segredo]" }

// LogValue implements slog.LogValuer.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText implements encoding.TextMarshaler: JSON, too, is how values get into
// logs.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
