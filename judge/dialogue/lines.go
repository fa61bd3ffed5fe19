package dialogue

// cut is why an answer that continues on the next line is refused.
const cut = "continues on the next line"

// read reads an answer and returns why it is refused, or "".
func (t *talk) read(answer func() (why string)) (why string) {
	t.cut = false
	why = answer()
	if t.ended {
		return why
	}
	t.Turns[len(t.Turns)-1].Answers++
	if t.cut {
		why = cut
	}
	if why != garbled && t.pending != "" && (t.Has(ReadsLines) || t.Has(DropsRest) || t.Has(DropsLine) && why != "") {
		t.discardLine()
	}
	return why
}

// letterNumber returns a letter and a number; ok is false without a number.
func (t *talk) letterNumber() (letter byte, number int, ok bool) {
	if !t.Has(ReadsWords) {
		letter = t.char()
		number, ok = t.integer()
		return letter, number, ok
	}
	word := t.token()
	if t.ended || t.cut {
		return 0, 0, false
	}
	inner := talk{Program: t.Program, pending: word[1:] + "."} // which ends the number
	number, ok = inner.integer()
	t.cut = t.cut || !ok
	return word[0], number, ok
}
