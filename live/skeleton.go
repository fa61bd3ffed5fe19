package live

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Letters that most fonts draw like the Latin letter below, in lower or upper case: the usual Cyrillic
// and Greek ones among the confusables of UTS #39.
const (
	lookalikes = "авеіјкмнорстухѕһԁԛԝүӏ" + "αβεζηικνορτυχı"
	latin      = "abeijkmhopctyxshdqwyl" + "abezhikvoptuxi"
)

// Skeleton returns the form in which names that look alike are equal: without regard to case, to
// composed, full-width and other compatible forms, to invisible characters, and to letters of other
// scripts that look Latin. It is for comparing names, never for showing them.
func Skeleton(name string) string {
	// Upper case first, because some letters have the same form in one case only.
	name = strings.ToLower(strings.ToUpper(norm.NFKD.String(name)))
	name = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Cf) {
			return -1
		}
		if before, _, ok := strings.Cut(lookalikes, string(r)); ok {
			return rune(latin[utf8.RuneCountInString(before)])
		}
		return r
	}, name)
	return strings.Join(strings.Fields(name), " ")
}
