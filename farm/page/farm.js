// Keeps the part of the page that changes up to date, and moves through games with the
// arrow keys. Without it the pages work, too.
const live = document.getElementById("live");
async function refresh() {
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
    if (fresh && fresh.innerHTML !== live.innerHTML && !live.contains(document.activeElement)) live.innerHTML = fresh.innerHTML;
  } catch { /* the coordinator is away: the next try may succeed */ }
}
if (live) setInterval(() => document.hidden || refresh(), 2000);
addEventListener("keydown", (e) => {
  const rel = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[e.key];
  const link = rel && !e.ctrlKey && !e.altKey && !e.metaKey && document.querySelector(`a[rel=${rel}]`);
  if (link) { e.preventDefault(); link.click(); }
});
