// Package examples embeds the programs of this folder that pages offer for download.
package examples

import "embed"

// League has the templates of programs for the league of a class.
//
//go:embed league
var League embed.FS
