package authorization_test

import (
	"encoding/json"
	"testing"
	"time"

	"guiche/internal/authorization"
)

func TestLocalTime_MarshalText(t *testing.T) {
	for _, want := range []authorization.LocalTime{{}, authorization.NewLocalTime(time.Date(2027, 12, 31, 14, 5, 9, 0, time.UTC))} {
		text, err := json.Marshal(want)
		if err != nil || string(text) != `"`+want.String()+`"` {
			t.Fatalf("got %s, %v, want %q", text, err, want)
		}
		got := authorization.DateOf(1999, 1, 1)
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("read back: got %v, %v, want %v", got, err, want)
		}
	}
	var l authorization.LocalTime
	if err := json.Unmarshal([]byte(`"31/12/2027"`), &l); err == nil {
		t.Error("a date that is not ISO 8601 was read")
	}
}
