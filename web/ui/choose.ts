// Runs before the first paint of a page of a static site, which has all languages: chooses the language as a
// server would (package lang), and loads its texts. The element has the titles of the page by language.

const script = document.currentScript as HTMLScriptElement, titles: Record<string, string> = JSON.parse(script.dataset.titles!);
const own = /(?:^|; )quintet-lang=([\w-]+)/.exec(document.cookie)?.[1] ?? ""; // the choice in Settings
const asked = new URLSearchParams(location.search).get("lang") ?? "";

/** match returns the language that somebody means by a tag such as zh-Hant-TW; "" if there is none. */
function match(tag: string): string {
  const [main, ...rest] = tag.toLowerCase().split("-"), chinese = rest.find((p) => /^(han[st]|cn|sg|my|tw|hk|mo)$/.test(p)) ?? "";
  if (main === "yue") return "zh-HK";
  if (main === "zh") return /^(hant|tw|hk|mo)$/.test(chinese) ? "zh-HK" : "zh-CN";
  return Object.hasOwn(titles, main) ? main : "";
}

const language = [asked, own].find((tag) => Object.hasOwn(titles, tag)) ?? navigator.languages.map(match).find((tag) => tag !== "") ?? "en";
if (asked === language) document.cookie = `quintet-lang=${asked}; path=/; max-age=31536000; samesite=lax`;
document.documentElement.lang = language;
document.title = titles[language];
const at = new URL(".", script.src).pathname;
if (language !== "en") document.write(`<link rel="stylesheet" href="${at}cjk.css"><style>#app:has(.nav:not([id])) { visibility: hidden }</style>`); // what the page says in English until it is drawn
document.write(`<script src="${at}facts.${language}.js" defer></script>`);

export {};
