package main

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"
)

// failed marks a non-nil error as a failure of the run.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// addJSON adds the flag --json.
func addJSON(c *cobra.Command, asJSON *bool) {
	c.Flags().BoolVar(asJSON, "json", false, "print one JSON object, for programs")
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return failed(e.Encode(v))
}
