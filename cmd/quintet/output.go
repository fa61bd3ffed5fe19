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

// writeResult writes a value as JSON, or a text about it.
func writeResult(out io.Writer, asJSON bool, v any, text string) error {
	if asJSON {
		return writeJSON(out, v)
	}
	_, err := io.WriteString(out, text)
	return failed(err)
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return failed(e.Encode(v))
}
