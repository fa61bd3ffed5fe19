package console_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"quintet/judge/console"
)

// status returns the exit status of a program that ends with the error of Run.
func status(err error) int {
	var usage *console.UsageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return 2
	}
	return 1
}

// run plays a dialogue and returns what was printed and the exit status.
func run(t testing.TB, name string, o console.Options, in string) (out string, exit int) {
	t.Helper()
	var w bytes.Buffer
	err := console.Run(context.Background(), name, o, strings.NewReader(in), &w)
	return w.String(), status(err)
}

// TestTranscripts replays every dialogue of the index, to the byte.
func TestTranscripts(t *testing.T) {
	const dir = "testdata/transcripts"
	index, err := os.ReadFile(filepath.Join(dir, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(index)), "\n")[1:]
	if len(lines) < 24 {
		t.Errorf("%d transcripts, want 24", len(lines))
	}
	for _, line := range lines {
		fields := strings.Split(line, "\t")
		t.Run(fields[0], func(t *testing.T) {
			in, err := os.ReadFile(filepath.Join(dir, fields[0]+".in"))
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(dir, fields[0]+".out"))
			if err != nil {
				t.Fatal(err)
			}
			size, _ := strconv.Atoi(fields[2]) // none for the usual size
			out, exit := run(t, fields[1], console.Options{Size: size}, string(in))
			if diff := cmp.Diff(string(want), out); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if fields[3] != strconv.Itoa(exit) {
				t.Errorf("exit status %d, want %s", exit, fields[3])
			}
		})
	}
}

// TestUsage lists what Run refuses to play.
func TestUsage(t *testing.T) {
	for _, test := range []struct {
		name string
		o    console.Options
		want string
	}{
		{"go", console.Options{}, `game "go": expected neighbors, othello, loa, connect6 or chess`},
		{"othello", console.Options{Size: 7}, `size "7": expected an even number from 4 to 26`},
		{"othello", console.Options{Size: 28}, `size "28": expected an even number from 4 to 26`},
		{"othello", console.Options{Size: -2}, `size "-2": expected an even number from 4 to 26`},
		{"connect6", console.Options{Size: 27}, `size "27": expected a whole number from 1 to 26`},
		{"neighbors", console.Options{Size: 10}, `size "10": expected 8, the only size of this game`},
		{"loa", console.Options{Size: 10}, `size "10": expected 8, the only size of this game`},
		{"chess", console.Options{Size: 10}, `size "10": expected 8, the only size of this game`},
		{"chess", console.Options{Rounds: -1}, `rounds "-1": expected a number of rounds, or 0 for no limit`},
	} {
		var out bytes.Buffer
		err := console.Run(context.Background(), test.name, test.o, strings.NewReader("3\n"), &out)
		var usage *console.UsageError
		if !errors.As(err, &usage) || err.Error() != test.want || errors.Unwrap(err) == nil {
			t.Errorf("%s %+v: %v, want the usage error %s", test.name, test.o, err, test.want)
		}
		if out.Len() > 0 || status(err) != 2 {
			t.Errorf("%s %+v: status %d after printing %q, want 2 after nothing", test.name, test.o, status(err), out.String())
		}
	}
}

// TestFlush checks that the prompt is on the screen whenever a program waits for a line.
func TestFlush(t *testing.T) {
	for name, in := range map[string][]string{
		"neighbors": {"d0 f2\n", "E0 f1\n"}, "othello": {"1\n", "A1\n", "E3\n"}, "loa": {"a1 c1\n"},
		"connect6": {"J9\n", "b4\n"}, "chess": {"1\n", "E7 E5\n", "Z0 Z0\n"},
	} {
		var out strings.Builder
		i := 0
		src := readerFunc(func(p []byte) (int, error) {
			if shown := out.String(); !strings.HasSuffix(shown, ": ") {
				t.Errorf("%s: waits for input %d after printing ...%q, want a prompt", name, i+1, shown[max(0, len(shown)-40):])
			}
			if i == len(in) {
				return 0, io.EOF
			}
			i++
			return copy(p, in[i-1]), nil
		})
		_ = console.Run(context.Background(), name, console.Options{}, src, &out)
		if i < len(in) {
			t.Errorf("%s read %d of %d lines", name, i, len(in))
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

var errBroken = errors.New("it broke")

func TestErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	broken := iotest.ErrReader(errBroken)
	full := writerFunc(func([]byte) (int, error) { return 0, errBroken })
	for _, test := range []struct {
		name string
		ctx  context.Context
		in   io.Reader
		out  io.Writer
		want error
	}{
		{"the input breaks", context.Background(), broken, io.Discard, errBroken},
		{"the output breaks", context.Background(), strings.NewReader("1\n"), full, errBroken},
		{"cancelled", ctx, strings.NewReader("1\n"), io.Discard, context.Canceled},
		{"the input ends", context.Background(), strings.NewReader("1\n"), io.Discard, console.ErrInputEnded},
	} {
		for _, s := range console.Scripts {
			err := console.Run(test.ctx, s.Name, console.Options{}, test.in, test.out)
			if !errors.Is(err, test.want) || status(err) != 1 {
				t.Errorf("%s: %s: %v, want %v", test.name, s.Name, err, test.want)
			}
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestMachines plays the chess modes with machines.
func TestMachines(t *testing.T) {
	seeded := func(seed uint64, rounds int) console.Options {
		return console.Options{Random: rand.NewPCG(seed, 0), Rounds: rounds}
	}
	first, exit := run(t, "chess", seeded(1, 0), "3")
	again, _ := run(t, "chess", seeded(1, 0), "3")
	other, _ := run(t, "chess", seeded(2, 0), "3")
	if exit != 0 || first != again || first == other {
		t.Errorf("mode 3: status %d; same seed, same game: %t; other seed, other game: %t", exit, first == again, first != other)
	}
	ending := regexp.MustCompile(`(White|Black)'s turn: [A-H][1-8] [A-H][1-8]\n(White|Black) wins!\n$`)
	if m := ending.FindStringSubmatch(first); m == nil || m[1] != m[2] {
		t.Errorf("the game ends with %q, want the capture of a king and its winner", first[len(first)-60:])
	}
	for _, mode := range []string{"0", "4", "-7", "x", "99999999999 "} {
		if out, _ := run(t, "chess", seeded(1, 0), mode); out != first {
			t.Errorf("mode %s is not two machines", mode)
		}
	}
	if out, exit := run(t, "chess", seeded(1, 6), "3"); exit != 0 || strings.Count(out, "Round ") != 6 || !strings.HasSuffix(out, "!\n") {
		t.Errorf("six rounds: status %d, %d rounds, ends with %q", exit, strings.Count(out, "Round "), out[len(out)-20:])
	}
	if out, exit := run(t, "chess", console.Options{Rounds: 1}, "3"); exit != 0 || !strings.HasSuffix(out, "Draw game!\n") {
		t.Errorf("one round from any seed: status %d, %q", exit, out[len(out)-20:])
	}
	if _, exit := run(t, "chess", seeded(1, 0), "99999999999"); exit != 1 {
		t.Errorf("too large a number at the end of the input: status %d, want 1", exit)
	}
}

// TestPersonAndMachine plays mode 2, in which rounds are not limited.
func TestPersonAndMachine(t *testing.T) {
	o := console.Options{Random: rand.NewPCG(1, 0), Rounds: 1}
	out, exit := run(t, "chess", o, "2 E7 E5 Z0 Z0")
	shape := regexp.MustCompile(`(?s)^Choose.*Round 1:.*White's turn: Round 2:.*Black's turn: [A-H][12] [A-H][34]\nRound 3:.*White's turn: Draw game!\n$`)
	if exit != 0 || !shape.MatchString(out) {
		t.Errorf("status %d, output:\n%s", exit, out)
	}
}
