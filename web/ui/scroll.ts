// Lists of moves scroll to the move that is looked at.

/** showCurrent scrolls a list to the move that is looked at, if that is out of view; to the top if there is none. */
export function showCurrent(box: HTMLElement): void {
  const now = box.querySelector<HTMLElement>("[aria-current]");
  if (!now) box.scrollTop = 0;
  else if (now.offsetTop < box.scrollTop || now.offsetTop + now.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = now.offsetTop + (now.offsetHeight - box.clientHeight) / 2;
}
