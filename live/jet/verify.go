package jet

import (
	"fmt"
	"os"
	"slices"

	"quintet/live"
)

// Verified is the result of VerifyFolder.
type Verified struct {
	Events  uint64     `json:"events"` // intact
	Bytes   int64      `json:"bytes"`
	Damaged []Repaired `json:"damaged"`           // with the events that are left of each
	Problem string     `json:"problem,omitempty"` // damage that cannot be attributed to streams
}

// VerifyFolder reads the log in a folder, and verifies the hash chains of all streams. It changes nothing.
// A server may have the log open.
func VerifyFolder(dir string) (Verified, error) {
	v, _, err := VerifySample(dir, nil)
	return v, err
}

// VerifySample is VerifyFolder that also returns all rulings, and the events of the intact streams that keep
// selects. It calls keep concurrently.
func VerifySample(dir string, keep func(stream []byte) bool) (v Verified, sample []live.Entry, err error) {
	if _, err := os.Stat(dir); err != nil {
		return v, nil, fmt.Errorf("verifying the log: %w", err)
	}
	c := newChains()
	s := &scan{dir: dir, chains: c, keep: keep}
	if err := s.read(); err != nil {
		return v, nil, err
	}
	sample = slices.DeleteFunc(s.kept, func(e live.Entry) bool { return !s.present.has(e.Seq) || !c.intact(hashOfStream(e.Stream)) })
	v, err = s.verified()
	return v, sample, err
}

// verified returns the result of a scan with chains.
func (s *scan) verified() (v Verified, err error) {
	if err := s.unfit(); err != nil {
		v.Problem = err.Error()
	}
	v.Events, v.Bytes = s.events, s.bytes
	r := repair{scan: s, streams: map[streamHash]*repairedStream{}}
	if len(s.chains.suspects) > 0 {
		err = r.cut()
	}
	v.Damaged = r.list()
	return v, err
}
