package service

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// TrafficCount is how often an address was answered with a status.
type TrafficCount struct {
	Route  string // as in the specification; "/" is what does not exist
	Status int    // 0 stands for answers that were cut
	Count  int
}

// TrafficNews is what one process counted since it last told.
type TrafficNews struct {
	Process uuid.UUID
	Since   time.Time      // when it began to count
	Open    int            // requests that it is answering
	Counts  []TrafficCount // each address and status once
	Last    bool           // the process ends
}

// TrafficSum is what all processes told.
type TrafficSum struct {
	Since  time.Time // zero when none runs
	Open   int       // requests that others are answering
	Counts []TrafficCount
}

// ProcessGone is how long after it last told a process counts as one that ended.
const ProcessGone = 20 * time.Second

// TrafficStore adds up what processes on one database count. Counts outlive the process that
// told them, and begin anew with the first process after all of them have ended.
type TrafficStore interface {
	AddTraffic(ctx context.Context, news TrafficNews) error
	// Traffic returns the sum, without the open requests of the process that asks.
	Traffic(ctx context.Context, process uuid.UUID) (TrafficSum, error)
}
