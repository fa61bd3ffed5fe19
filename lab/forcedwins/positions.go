package forcedwins

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	search "quintet/bots/connect6"
	"quintet/games/connect6"
)

// proveFile writes the wins of the positions of a file.
func (m *maker) proveFile(ctx context.Context, name string, out io.Writer) error {
	f, err := os.Open(name) //nolint:gosec // the user names the file
	if err != nil {
		return fmt.Errorf("reading the positions: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	return m.proveAll(ctx, f, out)
}

// proveAll writes the wins of positions, one a line. It fails if one of them has no win that is
// proved within the node limit.
func (m *maker) proveAll(ctx context.Context, in io.Reader, out io.Writer) error {
	s := search.New(16)
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		p, err := connect6.Game.Read(lines.Text())
		if err != nil {
			return fmt.Errorf("position %d: %w", n, err)
		}
		w, err := m.prove(ctx, s, p.(*connect6.Position))
		if err != nil {
			return fmt.Errorf("position %d: %w", n, err)
		}
		text, err := json.Marshal(w)
		if err != nil {
			return fmt.Errorf("position %d: %w", n, err)
		}
		if _, err := fmt.Fprintf(out, "%s\n", text); err != nil {
			return fmt.Errorf("writing the set: %w", err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading the positions: %w", err)
	}
	return nil
}

// prove proves the win of a position.
func (m *maker) prove(ctx context.Context, s *search.Search, p *connect6.Position) (win, error) {
	s.Reset()
	proof, err := s.Prove(ctx, p, m.nodes)
	if err != nil {
		return win{}, err //nolint:wrapcheck // it says what failed
	}
	if proof.Certificate == nil {
		return win{}, fmt.Errorf("no win is proved within %d positions", m.nodes)
	}
	w, ok := describe(p, proof.Certificate)
	if !ok {
		return win{}, fmt.Errorf("the certificate of the win is wrong")
	}
	return w, nil
}
