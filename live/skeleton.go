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
	base := ' ' // the last letter, without accents
	name = strings.Map(func(r rune) rune {
		if before, _, ok := strings.Cut(lookalikes, string(r)); ok {
			r = rune(latin[utf8.RuneCountInString(before)])
		}
		const dot = '\u0307' // above a letter that has one
		switch {
		case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Cf, r),
			r == dot && (base == 'i' || base == 'j'):
			return -1
		case !unicode.Is(unicode.Mn, r):
			base = r
		}
		return r
	}, name)
	return norm.NFKD.String(strings.Join(strings.Fields(name), " ")) // what is left may have another order of accents
}
