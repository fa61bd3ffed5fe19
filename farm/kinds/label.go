package kinds

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quintet/bots"
	"quintet/bots/othello/pattern"
	"quintet/farm"
	"quintet/train"
)

// LabelName is the name of the kind.
const LabelName = "label"

// Label searches positions of training games of Othello. The blobs of a job are the
// positions and the weights. A unit is a batch of positions; its payload is a list of their
// values.
type Label struct{}

// LabelSettings are the settings of a job of Label.
type LabelSettings struct {
	Positions int `json:"positions"`
	Depth     int `json:"depth"` // in plies
	Exact     int `json:"exact"` // positions with at most this many empty cells are solved
	Batch     int `json:"batch"` // positions of a unit
}

// Limits of labels. A search of more plies would take minutes.
const (
	maxLabelDepth = 10
	maxLabelExact = 20
	maxLabelBatch = 1024
	memoryOfLabel = 48 // megabytes: weights, positions and tables
	labelTime     = 10 * time.Second
	maxPositions  = 500_000
)

// NewLabel returns the settings of a job. A unit takes a second or so.
func NewLabel(l bots.Labels) *LabelSettings {
	const batch = 256
	return &LabelSettings{Positions: l.Positions.Len(), Depth: l.Depth, Exact: l.Exact, Batch: batch}
}

// SplitLabels splits positions into parts that fit into a job each.
func SplitLabels(l bots.Labels) (parts []bots.Labels) {
	for positions := range slices.Chunk(l.Positions, maxPositions*train.PositionBytes) {
		parts = append(parts, bots.Labels{Positions: positions, Weights: l.Weights, Depth: l.Depth, Exact: l.Exact})
	}
	return parts
}

func decodeLabel(text []byte) (*LabelSettings, error) {
	s := &LabelSettings{}
	if err := farm.DecodeSettings(text, s); err != nil {
		return nil, err
	}
	switch {
	case s.Positions < 1 || s.Positions > maxPositions || s.Batch < 1 || s.Batch > maxLabelBatch:
		return nil, fmt.Errorf("%d positions in batches of %d: expected 1 to %d of at most %d", s.Positions, s.Batch, maxPositions, maxLabelBatch)
	case s.Depth < 1 || s.Depth > maxLabelDepth || s.Exact < 0 || s.Exact > maxLabelExact:
		return nil, fmt.Errorf("labels of depth %d, exact from %d empty cells: expected a depth of 1 to %d and at most %d cells on a farm", s.Depth, s.Exact, maxLabelDepth, maxLabelExact)
	}
	return s, nil
}

// batch returns the first position of a unit, and the one after its last.
func (s *LabelSettings) batch(unit int) (from, to int) {
	from = unit * s.Batch
	return from, min(from+s.Batch, s.Positions)
}

// CheckBlobs implements farm.BlobKind.
func (Label) CheckBlobs(settings []byte, blobs [][]byte) error {
	s, err := decodeLabel(settings)
	if err != nil {
		return err
	}
	_, _, err = s.read(blobs)
	return err
}

// read returns positions and weights.
func (s *LabelSettings) read(blobs [][]byte) (train.Positions, *pattern.Weights, error) {
	if len(blobs) != 2 {
		return nil, nil, fmt.Errorf("%d blobs: expected positions and weights", len(blobs))
	}
	p := train.Positions(blobs[0])
	if err := p.Check(); err != nil {
		return nil, nil, fmt.Errorf("positions: %w", err)
	}
	if p.Len() != s.Positions {
		return nil, nil, fmt.Errorf("%d positions: expected %d", p.Len(), s.Positions)
	}
	w, err := pattern.Read(bytes.NewReader(blobs[1]))
	if err != nil {
		return nil, nil, fmt.Errorf("weights: %w", err)
	}
	return p, w, nil
}

// NewTask implements farm.Kind.
func (Label) NewTask(settings []byte) (farm.Task, error) {
	s, err := decodeLabel(settings)
	if err != nil {
		return nil, err
	}
	return &listTask{
		units: (s.Positions + s.Batch - 1) / s.Batch, size: func(units int) int { return min(units*s.Batch, s.Positions) },
		check: func(unit int, payload []byte) error {
			_, err := s.Values(unit, payload)
			return err
		},
		about: farm.About{Game: "othello", Counts: "positions", Deterministic: true, Step: labelTime, Memory: memoryOfLabel},
	}, nil
}

// Values returns the values of the positions of a unit.
func (s *LabelSettings) Values(unit int, payload []byte) (values []int, err error) {
	if err := decodeResult(payload, &values); err != nil {
		return nil, err
	}
	if from, to := s.batch(unit); len(values) != to-from {
		return nil, fmt.Errorf("%d values: expected %d", len(values), to-from)
	}
	for _, v := range values {
		if max(v, -v) > train.MaxLabel {
			return nil, fmt.Errorf("value %d: expected at most %d", v, train.MaxLabel)
		}
	}
	return values, nil
}

// labelRunner searches positions.
type labelRunner struct {
	settings  *LabelSettings
	positions train.Positions
	labeler   *train.Labeler
}

// NewRunner implements farm.Kind.
func (Label) NewRunner(settings []byte, blobs [][]byte, _ float64) (farm.Runner, error) {
	s, err := decodeLabel(settings)
	if err != nil {
		return nil, err
	}
	p, w, err := s.read(blobs)
	if err != nil {
		return nil, err
	}
	return &labelRunner{s, p, train.NewLabeler(w, s.Depth, s.Exact)}, nil
}

// Do implements farm.Runner.
func (r *labelRunner) Do(ctx context.Context, unit int, progress func()) ([]byte, error) {
	from, to := r.settings.batch(unit)
	values := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("searching positions: %w", context.Cause(ctx))
		}
		values = append(values, r.labeler.Value(r.positions, i))
		progress()
	}
	text, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("writing a result: %w", err)
	}
	return text, nil
}

// Close implements farm.Runner.
func (*labelRunner) Close() error { return nil }
