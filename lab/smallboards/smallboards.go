// Package smallboards checks proofs of the values of Othello on small boards: the tables of 4x4, and
// certificates of 6x6. It uses the plain rules alone, without any code of the searches.
package smallboards

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// Command returns the command.
func Command() *cobra.Command {
	var f settings
	c := &cobra.Command{
		Use:   "smallboards",
		Short: "Check certificates of Othello on 6x6",
		Long: `Smallboards checks a certificate: the moves with which each side gets the value of a board. It
walks both trees of moves, and proves the claims at their ends, positions with few empty cells, by
searching all moves; only --sample of them if that is not negative.`,
		Example: "  lab smallboards --check lab/smallboards/testdata/d2e3.proof",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return f.check(c.OutOrStdout()) },
	}
	flags := c.Flags()
	flags.StringVar(&f.file, "check", "", "the `file` of the certificate")
	flags.IntVar(&f.sample, "sample", -1, "how many claims of each side to check")
	flags.Uint64Var(&f.seed, "seed", 1, "of the sample")
	return c
}

type settings struct {
	file   string
	sample int
	seed   uint64
}

// check checks the certificate of a file.
func (f settings) check(report io.Writer) error {
	text, err := os.ReadFile(f.file)
	if err != nil {
		return err
	}
	c, err := parseCertificate(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	v, err := c.verify(f.sample, f.seed)
	if err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	_, err = fmt.Fprintf(report, "6x6 with pits %s: %+d; %d positions, %d of %d claims proved\n", c.pits, c.value, v.positions, v.proved, v.claims)
	return err
}
