package class

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintet/judge/run"
)

// alone returns a copy of the check that calls only the member function under test. Helpers in the driver replace
// calls of the others; they use the private data under the names in the document.
func (k testCase) alone() testCase {
	if rest, ok := strings.CutPrefix(k.code, played(k.typed)); ok && len(k.typed) > 0 && k.board != "" {
		rows := strings.Split(k.board, "\n")[1:9]
		for i, row := range rows {
			rows[i] = strings.ReplaceAll(row[2:], " ", "")
		}
		k.code = fmt.Sprintf("quintet_place(g, %q, '%c'); ", strings.Join(rows, ""), "BW"[len(k.typed)%2]) + rest
	}
	for _, call := range [][2]string{{"printGame", "quintet_print"}, {"swapPlayer", "quintet_swap"}, {"getCurrentPlayer", "quintet_player"}} {
		if call[0] != k.member {
			k.code = strings.ReplaceAll(k.code, "g."+call[0]+"()", call[1]+"(g)")
		}
	}
	return k
}

// again reruns failed checks as [testCase.alone] returns them, so that a mistake in one member function
// costs no points of the others. A check that calls only functions without failed checks keeps its result: the mistake
// may be in what they keep in the private data, which no check of theirs shows. If the helpers do not compile, for
// example because private data is named differently, all results stand.
func (c class) again(ctx context.Context, b *builder, cases []testCase, missing map[string]string, r Report, program func(build string) run.Program) error {
	var repeated []testCase
	var at []int
	for i, k := range cases {
		if a := k.alone(); !r.Checks[i].OK && a.code != k.code && a.needs(missing) == "" && k.callsWrong(r) {
			repeated, at = append(repeated, a), append(at, i)
		}
	}
	if len(repeated) == 0 {
		return nil
	}
	build, err := b.compile(ctx, repeated, c.opened())
	if refused := (*run.CompileError)(nil); err != nil {
		if errors.As(err, &refused) {
			return nil
		}
		return err
	}
	for i, k := range c.run(ctx, repeated, missing, program(build)).Checks {
		if k.OK {
			r.Checks[at[i]] = k
		}
	}
	return nil
}

// callsWrong reports whether the check calls another member function that has failed a check of its own.
func (k testCase) callsWrong(r Report) bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool {
		return !c.OK && c.Member != k.member && strings.Contains(k.code, "g."+c.Member+"(")
	})
}

// opened returns functions for a driver that read and write the private data of the class.
// C++ allows the name of a private member in an explicit instantiation.
func (c class) opened() string {
	data := []string{"board", "currentPlayer", "nextPlayer", "blacks", "whites"}
	var params, args []string
	for i, name := range data { // C++11 has no parameters of type auto
		params = append(params, fmt.Sprintf("typename T%d, T%d %s", i, i, name))
		args = append(args, fmt.Sprintf("decltype(&%s::%s), &%s::%s", c.name, name, c.name, name))
	}
	return strings.NewReplacer("CLASS", c.name, "PARAMS", strings.Join(params, ", "), "ARGS", strings.Join(args, ", ")).Replace(openedText)
}

const openedText = `
void quintet_place(CLASS &g, const char *cells, char player);
void quintet_print(const CLASS &g);
void quintet_swap(CLASS &g);
char quintet_player(const CLASS &g);

template <PARAMS> struct quintet_data {
    static void place(CLASS &g, const char *cells, char player) {
        g.*currentPlayer = player;
        g.*nextPlayer = player == 'B' ? 'W' : 'B';
        g.*blacks = g.*whites = 0;
        for (int i = 0; i < 64; i++) {
            (g.*board)[i / 8][i % 8] = cells[i];
            (g.*blacks) += cells[i] == 'B';
            (g.*whites) += cells[i] == 'W';
        }
    }
    static void print(const CLASS &g) {
        cout << "  a b c d e f g h\n";
        for (int i = 0; i < 64; i++) {
            if (i % 8 == 0) cout << i / 8;
            cout << ' ' << (g.*board)[i / 8][i % 8] << (i % 8 == 7 ? "\n" : "");
        }
    }
    friend void quintet_place(CLASS &g, const char *cells, char player) { place(g, cells, player); }
    friend void quintet_print(const CLASS &g) { print(g); }
    friend void quintet_swap(CLASS &g) { swap(g.*currentPlayer, g.*nextPlayer); }
    friend char quintet_player(const CLASS &g) { return g.*currentPlayer; }
};
template struct quintet_data<ARGS>;

`
