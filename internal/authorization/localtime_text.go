package authorization

// MarshalText writes the wire form, so that a stored request or answer holds
// dates as the specification writes them; absent is "".
func (l LocalTime) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (l *LocalTime) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*l = LocalTime{}
		return nil
	}
	read, err := ParseLocalTime(string(text))
	if err != nil {
		return err
	}
	*l = read
	return nil
}
