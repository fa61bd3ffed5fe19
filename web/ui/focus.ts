// The focus of the keyboard: it survives when the focused element goes.

import { useEffect } from "preact/hooks";

/**
 * useKeptFocus moves the focus to another element when the focused one disappears or is
 * disabled. Otherwise keyboards and screen readers would start over at the top of the page.
 * If next returns null, it is asked again after the next change of the page.
 */
export function useKeptFocus(next: (last: Element) => HTMLElement | null | undefined): void {
  useEffect(() => {
    let last: Element | null = null, byKeys = false;
    const focused = (e: FocusEvent): void => { last = e.target as Element; };
    const pressed = (e: Event): void => { byKeys = e.type === "keydown"; };
    const changed = (): void => {
      if (!last || document.activeElement !== document.body || (last.isConnected && !last.matches(":disabled"))) return;
      next(last)?.focus({ preventScroll: !byKeys });
    };
    const watch = new MutationObserver(changed);
    watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled", "data-phase"] });
    addEventListener("focusin", focused);
    for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, pressed, true);
    return () => {
      watch.disconnect();
      removeEventListener("focusin", focused);
      for (const kind of ["keydown", "pointerdown"]) removeEventListener(kind, pressed, true);
    };
  }, []);
}

/** first returns the first element that one of the selectors finds in the page's main part, by their order. */
export function first(...selectors: string[]): HTMLElement | undefined {
  for (const s of selectors) {
    const found = document.querySelector<HTMLElement>(`main ${s}`);
    if (found) return found;
  }
  return undefined;
}

/** boardCell selects the cell of the board that takes the focus. */
export const boardCell = '[role="gridcell"][tabindex="0"]';
