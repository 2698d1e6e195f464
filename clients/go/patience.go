package tavola

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	firstPause   = 100 * time.Millisecond
	longestPause = 2 * time.Second
)

// A patience says how long to go on trying what fails for the moment.
type patience struct {
	limit    time.Duration
	attempts int
	since    time.Time // When the present trouble began. Zero: there is none.
}

// restore is for when something has worked: what fails from now on is a new trouble.
func (p *patience) restore() { p.attempts, p.since = 0, time.Time{} }

// pause returns how long to wait after an error before the next attempt, and whether there is to be one.
func (p *patience) pause(now time.Time, err error) (time.Duration, bool) {
	var failed *Error
	if !errors.As(err, &failed) || !failed.Transient() {
		return 0, false
	}
	if p.since.IsZero() {
		p.since = now
	}
	pause := firstPause
	for range p.attempts {
		pause = min(2*pause, longestPause)
	}
	// Never before the server says, and not all clients at the same moment.
	pause = failed.RetryDelay + pause/2 + rand.N(pause/2)
	if now.Add(pause).Sub(p.since) > p.limit {
		return 0, false
	}
	p.attempts++
	return pause, true
}

// wait sleeps before the next attempt. It returns an error, the one given or more, if there is to be none.
func (p *patience) wait(ctx context.Context, err error) error {
	pause, again := p.pause(time.Now(), err)
	if !again {
		return err
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w while waiting to repeat a call: %w", context.Cause(ctx), err)
	}
}

// repeat makes a call that is safe to repeat until there is a reply, for as long as the patience lasts.
func repeat[Reply any](ctx context.Context, limit time.Duration, call func() (Reply, error)) (Reply, error) {
	patience := patience{limit: limit}
	for {
		reply, err := call()
		if err == nil {
			return reply, nil
		}
		if err := patience.wait(ctx, err); err != nil {
			return reply, err
		}
	}
}
