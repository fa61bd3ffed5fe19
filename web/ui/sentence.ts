// Sentences that the rules, lessons and the server say in English, in the language of the page: a copy of
// internal/lang/sentence.go, which has the reasons. Pages in English do not load it.

import { facts, loadWords, phrases } from "./words";

interface Pattern {
  match: RegExp;
  own: string;
  fixed: number;
}

const longest = 400; // texts that are longer are not compared with patterns

/** loadSentences adds the sentences of the page's language. */
export async function loadSentences(): Promise<void> {
  await loadWords("sentences");
  const list: Pattern[] = Object.entries(facts.words).filter(([text]) => /%[sd]/.test(text)).map(([text, own]) => ({
    match: new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%s", "(.+?)").replaceAll("%d", "(\\d+)")}$`, "s"),
    own, fixed: text.length - 2 * text.split("%").length,
  })).sort((a, b) => b.fixed - a.fixed);
  phrases.of = (text) => {
    if (text.length > longest || text in facts.words) return facts.words[text] ?? text;
    for (const { match, own } of list) {
      const m = match.exec(text);
      let next = 1;
      if (m) return own.replace(/%(?:\[(\d)\])?[sd]/g, (_, n) => phrases.of(m[Number(n ?? next++)]));
    }
    return text;
  };
}
