// Sentences that the rules, lessons and the server say in English, in the language of the page: a copy of
// internal/lang/sentence.go, which has the reasons. Pages in English do not load it.

interface Pattern {
  match: RegExp;
  own: string;
  fixed: number;
}

const longest = 400; // texts that are longer are not compared with patterns

/** translator returns the function that translates sentences by a catalogue. It imports nothing, so that the bundler does not add a shared chunk to every page. */
export function translator(words: Record<string, string>): (text: string) => string {
  const list: Pattern[] = Object.entries(words).filter(([text]) => /%[sd]/.test(text)).map(([text, own]) => ({
    match: new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%s", "(.+?)").replaceAll("%d", "(-?\\d+)")}$`, "s"),
    own, fixed: text.length - 2 * text.split("%").length,
  })).sort((a, b) => b.fixed - a.fixed);
  const translate = (text: string): string => {
    if (text.length > longest || text in words) return words[text] ?? text;
    for (const { match, own } of list) {
      const m = match.exec(text);
      let next = 1;
      if (m) return own.replace(/%(?:\[(\d)\])?[sd]/g, (_, n) => translate(m[Number(n ?? next++)]));
    }
    return text;
  };
  return function paragraph(text): string {
    for (let end = text.indexOf(". ") + 1; end > 0 && end < longest; end = text.indexOf(". ", end) + 1) {
      const head = text.slice(0, end), own = translate(head);
      if (own !== head && head.split('"').length % 2) return own + paragraph(text.slice(end + 1));
    }
    return translate(text);
  };
}
