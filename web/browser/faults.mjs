// What is wrong with the layout of a page.

/** faults returns what is wrong with the layout of what a page shows now. */
export const faults = (p, needed) => p.page.evaluate(faultsHere, needed);

/** faultsHere is faults, inside of the page. */
export const faultsHere = (needed) => {
  const list = [], name = (e) => (e.getAttribute("aria-label") || e.textContent || e.className).slice(0, 30);
  const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".hidden, .skip");
  const clip = (e) => { // what is seen of a box inside of the parts of the page that scroll
    let { left, top, right, bottom } = e.getBoundingClientRect();
    for (let a = e.parentElement; a; a = a.parentElement) {
      if (getComputedStyle(a).overflowY === "visible" && getComputedStyle(a).overflowX === "visible") continue;
      const b = a.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, b.left), Math.max(top, b.top), Math.min(right, b.right), Math.min(bottom, b.bottom)];
    }
    return { left, top, right, bottom };
  };
  for (const selector of needed) for (const e of document.querySelectorAll(selector)) {
    const b = clip(e), whole = e.getBoundingClientRect();
    if (b.left < -1 || b.top < -1 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1 || b.bottom < whole.bottom - 1) list.push(`${selector} is out of view: ${Math.round(whole.top)} to ${Math.round(whole.bottom)} of ${innerHeight}`);
  }
  const covered = (x, y) => x.closest(".status, .steps") && !x.closest(".calls, .absence") && y.closest(".calls, .absence");
  const flows = (e) => getComputedStyle(e).display === "inline"; // a link in a text, which may have several lines
  const top = document.querySelector("dialog[open]") ?? document; // what lies under a dialog is not used
  const boxes = [...top.querySelectorAll("a, button, input, select, summary, svg.board[role=grid], .clock, .state")].filter(shown).map((e) => ({ e, b: clip(e) })).filter(({ b }) => b.right - b.left > 1 && b.bottom - b.top > 1);
  for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
    const [{ e: x, b: a }, { e: y, b }] = [boxes[i], boxes[j]];
    const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1 && !(flows(x) && flows(y));
    const covers = covered(x, y) || covered(y, x) || y.matches(".away, .settings > form > button"); // what is asked covers the status, and some buttons stay in view, by design
    if (over && !covers && !x.contains(y) && !y.contains(x)) list.push(`${name(x)} and ${name(y)} overlap`);
  }
  for (const e of document.querySelectorAll("button, .button, .clock, .state, .seat .name, .tile, .today li, h1, h2, summary, legend")) {
    if (shown(e) && e.scrollWidth > e.clientWidth + 1 && !e.matches(".name") && e.clientWidth > 0) list.push(`${name(e)} is cut off`);
  }
  for (const e of document.querySelectorAll("select")) if (shown(e)) {
    const style = getComputedStyle(e), text = document.body.appendChild(document.createElement("span"));
    text.style.cssText = `position: absolute; white-space: nowrap; font: ${style.font}`;
    text.textContent = e.selectedOptions[0].textContent;
    if (text.offsetWidth + 16 > e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)) list.push(`${text.textContent} is cut off beside the arrow`);
    text.remove();
  }
  for (const e of document.querySelectorAll(".head button")) if (shown(e) && Math.min(e.offsetWidth, e.offsetHeight) < 24) list.push(`${name(e)} has ${e.offsetWidth} by ${e.offsetHeight} pixels, less than 24`);
  for (const e of document.querySelectorAll(".steps .at")) if (e.offsetHeight > 1.6 * parseFloat(getComputedStyle(e).lineHeight)) list.push(`${name(e)} has two lines`);
  const wide = document.documentElement.scrollWidth - innerWidth, high = document.documentElement.scrollHeight - innerHeight;
  if (wide > 0) list.push(`the page is ${wide} pixels too wide`);
  const beside = document.querySelector("main.table") && innerWidth > 1.25 * innerHeight; // the panel beside the board scrolls, the page does not
  if (high > 0 && (high < 60 || beside)) list.push(`the page scrolls by ${high} pixels`);
  return list;
};
