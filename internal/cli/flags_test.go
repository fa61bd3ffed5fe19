package cli_test

import (
	"testing"
	"time"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
)

// TestFlags gives values to flags: the right ones are taken, and the errors say what would be.
func TestFlags(t *testing.T) {
	for _, test := range []struct{ arg, want string }{
		{"--threads=1e2", ""},
		{"--threads=2.56e2", ""},
		{"--threads=0", `--threads "0": give a whole number from 1 to 256`},
		{"--threads=1.5", `--threads "1.5": give a whole number from 1 to 256`},
		{"--threads=inf", `--threads "inf": give a whole number from 1 to 256`},
		{"--seed=18446744073709551615", ""},
		{"--seed=18446744073709551616", `--seed "18446744073709551616": give a whole number, 0 or more`},
		{"--seed=-1", `--seed "-1": give a whole number, 0 or more`},
		{"--ply=-3", ""},
		{"--ply=1e19", `--ply "1e19": give a whole number, -5 or more`},
		{"--movetime=100", ""},
		{"--movetime=1.5s", ""},
		{"--movetime=soon", `--movetime "soon": give a time, such as 500ms; a number alone is milliseconds`},
		{"--drain=10", `--drain "10": give the unit, too, such as 10s`},
		{"--delay=1h", `--delay "1h": give a time from 20ms to 1m`},
		{"--keep=0", ""},
		{"--keep=1s", `--keep "1s": give a time of 1h or more, or 0s for never`},
		{"--log=xml", `--log "xml": give text or json`},
		{"--game=lines of action", ""},
		{"--game=go", `--game "go": give neighbors, othello, loa, connect6 or chess`},
		{"--addr=:8080", ""},
		{"--addr=8080", `--addr "8080": give a colon before the port: :8080 for all addresses of this machine, 127.0.0.1:8080 for this machine alone`},
		{"--addr=", `--addr "": give an address with a port, such as :80`},
		{"--thread=1", "there is no flag --thread: did you mean --threads?"},
		{"--sed=1", "there is no flag --sed: did you mean --seed?"},
		{"--zz=1", "unknown flag: --zz"},
		{"--json=maybe", `--json "maybe": give true or false`},
	} {
		c, f := command()
		got := ""
		if err := c.ParseFlags([]string{test.arg}); err != nil {
			got = cli.FlagError(c, err).Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.arg, got, test.want)
		}
		if f.threads > 256 || f.ply < -5 || f.delay > time.Minute {
			t.Errorf("%s: took %+v", test.arg, f)
		}
	}
}

// flags are those of the tests.
type flags struct {
	threads, ply                 int
	seed                         uint64
	movetime, drain, delay, keep time.Duration
	log, game, addr              string
	json                         bool
}

func command() (*cobra.Command, *flags) {
	var f flags
	c := &cobra.Command{Use: "test"}
	cli.Number(c, &f.threads, "threads", 1, "").Between(1, 256)
	cli.Number(c, &f.ply, "ply", 0, "").AtLeast(-5)
	cli.Number(c, &f.seed, "seed", 1, "")
	cli.Milliseconds(c, &f.movetime, "movetime", 0, "")
	cli.Time(c, &f.drain, "drain", time.Second, "")
	cli.Time(c, &f.delay, "delay", time.Second, "").Between(20*time.Millisecond, time.Minute)
	cli.Time(c, &f.keep, "keep", 0, "").AtLeast(time.Hour).OrNever()
	cli.Choice(c, &f.log, "log", "text", "", "text", "json")
	cli.Game(c, &f.game, "game", "")
	cli.Address(c, &f.addr, "addr", ":80", false, "")
	c.Flags().BoolVar(&f.json, "json", false, "")
	return c, &f
}

// TestValues checks what flags take for values that are written in several ways.
func TestValues(t *testing.T) {
	c, f := command()
	err := c.ParseFlags([]string{"--threads", "1e2", "--ply", "-3", "--seed", "18446744073709551615", "--movetime", "100", "--drain", "1.5s", "--game", "CHESS, king capture wins"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (flags{threads: 100, ply: -3, seed: 1<<64 - 1, movetime: 100 * time.Millisecond, drain: 1500 * time.Millisecond, delay: time.Second, log: "text", game: "chess", addr: ":80"}); *f != want {
		t.Errorf("%+v, want %+v", *f, want)
	}
	for name, want := range map[string]string{"movetime": "100ms", "drain": "1.5s", "delay": "1s", "keep": "0"} {
		if got := c.Flags().Lookup(name).Value.String(); got != want {
			t.Errorf("--%s is %s, want %s", name, got, want)
		}
	}
	for n, want := range []bool{false, true, false} {
		if err := cli.Exactly(1)(c, make([]string, n)); (err == nil) != want {
			t.Errorf("%d arguments instead of 1: %v", n, err)
		}
	}
}
