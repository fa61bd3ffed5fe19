package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"quintet/games"
	"quintet/live"
)

// fillers is how many games Fill plays at once, so that the log writes in batches.
const fillers = 500

// Fill plays random games of all kinds straight into a log until it has the given number of
// events. It leaves some hundred games unfinished with running clocks, so that a
// server that starts on the log has live games to load. It returns the number of
// events that it added.
func Fill(ctx context.Context, l live.Log, events int, seed uint64) (added int, err error) {
	last, err := l.Last(ctx)
	if err != nil {
		return 0, fmt.Errorf("filling the log: %w", err)
	}
	heartbeat, err := l.LastHeartbeat(ctx)
	if err != nil {
		return 0, fmt.Errorf("filling the log: %w", err)
	}
	f := filler{log: l, at: live.Stamp{Service: heartbeat.Service}}
	f.left.Store(int64(events) - int64(last))
	errs := make([]error, fillers)
	var all sync.WaitGroup
	for i := range fillers {
		all.Go(func() { errs[i] = f.play(ctx, i, rand.New(rand.NewPCG(seed+last, uint64(i)+7))) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return int(f.added.Load()), fmt.Errorf("filling the log: %w", err)
	}
	return int(f.added.Load()), nil
}

// filler fills a log.
type filler struct {
	log         live.Log
	at          live.Stamp
	left, added atomic.Int64 // events to add, and events added
}

// play plays one game after the other until the log has enough events.
func (f *filler) play(ctx context.Context, number int, random *rand.Rand) error {
	all := games.All()
	for n := number; f.left.Load() > 0; n++ {
		if err := f.game(ctx, all[n%len(all)].Name, random); err != nil {
			return err
		}
	}
	return nil
}

// game plays one game, as far as the log needs events.
func (f *filler) game(ctx context.Context, name string, random *rand.Rand) error {
	id := randomID(random)
	t := live.New(id)
	seats := [2]live.Player{{Name: "Fill 1", Secret: live.HashSecret(id + "1")}, {Name: "Fill 2", Secret: live.HashSecret(id + "2")}}
	e, err := live.OpenTable(id, live.Settings{Game: name, Seats: seats, Clock: live.TimeControl{Main: 86_400}}, "", f.at)
	for after := uint64(0); err == nil && f.left.Add(-1) >= 0; {
		if after, err = f.append(ctx, t, after, e); err != nil || t.Over() {
			return err
		}
		legal := t.Legal()
		move := t.Position().Format(legal[random.IntN(len(legal))])
		e, err = t.Decide(live.Command{Do: live.Move, Side: t.Turn(), Move: move, Ply: t.Ply()}, f.at)
	}
	return err
}

// append writes an event and applies it to the table.
func (f *filler) append(ctx context.Context, t *live.Table, after uint64, e live.Event) (uint64, error) {
	data, err := e.Encode()
	if err != nil {
		return 0, err
	}
	if after, err = f.log.Append(ctx, t.ID(), after, data); err != nil {
		return 0, err
	}
	f.added.Add(1)
	_, err = t.Load(data)
	return after, err
}

// randomID returns a game identifier in the form that servers use.
func randomID(random *rand.Rand) string {
	const alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
	var b [12]byte
	for i := range b {
		b[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(b[:])
}
