// Lists of moves scroll to the current move.

import { useLayoutEffect, type Inputs } from "preact/hooks";
import type { RefObject } from "preact";

/** showCurrent scrolls a list to its current move, if that is out of view; to the top if there is none. */
export function showCurrent(box: HTMLElement): void {
  const now = box.querySelector<HTMLElement>("[aria-current]");
  if (!now) box.scrollTop = 0;
  else if (now.offsetTop < box.scrollTop || now.offsetTop + now.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = now.offsetTop + (now.offsetHeight - box.clientHeight) / 2;
}

/** useShownCurrent keeps the current move of a list in view whenever an input changes, and when the list is resized: a rotated phone has room for other rows. */
export function useShownCurrent(list: RefObject<HTMLElement | null>, inputs: Inputs): void {
  useLayoutEffect(() => showCurrent(list.current!), inputs);
  useLayoutEffect(() => { // it ends before the list is removed, unlike a plain effect
    const resized = new ResizeObserver(() => showCurrent(list.current!));
    resized.observe(list.current!);
    return () => resized.disconnect();
  }, []);
}
