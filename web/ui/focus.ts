// The focus of the keyboard: it survives when the focused element goes.

import { useEffect } from "preact/hooks";

/**
 * useKeptFocus moves the focus to another element when the focused one disappears, is folded
 * away or disabled. Otherwise keyboards and screen readers would start over at the top of the page.
 * If next returns null, it is asked again after the next change of the page.
 */
export function useKeptFocus(next: (last: Element, around: Element[]) => HTMLElement | null | undefined): void {
  useEffect(() => {
    let last: Element | null = null, around: Element[] = [], byKeys = false, onControl = false;
    const focused = (e: FocusEvent): void => {
      last = e.target as Element;
      around = [];
      for (let a = last.parentElement; a; a = a.parentElement) around.push(a);
    };
    const pressed = (e: Event): void => {
      byKeys = e.type === "keydown";
      onControl = !byKeys && (e.target as Element).closest("button, a, summary") !== null; // which takes no focus in Safari
    };
    const left = (): void => void setTimeout(() => { if (document.activeElement === document.body && last && isThere(last) && !onControl) last = null; }); // somebody clicked beside it
    const changed = (): void => {
      const now = document.activeElement;
      if (!last || isThere(last) || (now !== document.body && !(now === last && !last.checkVisibility()))) return;
      next(last, around)?.focus({ preventScroll: !byKeys });
    };
    const watch = new MutationObserver(changed);
    watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled", "data-phase", "open"] });
    addEventListener("focusin", focused);
    addEventListener("focusout", left);
    for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, pressed, true);
    return () => {
      watch.disconnect();
      removeEventListener("focusin", focused);
      removeEventListener("focusout", left);
      for (const kind of ["keydown", "pointerdown"]) removeEventListener(kind, pressed, true);
    };
  }, []);
}

/** isThere reports whether an element can have the focus. */
const isThere = (e: Element): boolean => e.isConnected && e.checkVisibility() && !e.matches(":disabled");

const focusable = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, summary, [tabindex='0']";

/** useNearFocus keeps the focus in a part of the page: at what asks for it by autofocus, or else at what is nearest to the element that is gone. */
export function useNearFocus(part: string): void {
  useKeptFocus((_, around) => {
    const inside = around.slice(0, around.findIndex((e) => e.matches(part)) + 1);
    for (const e of inside.filter((e) => e.isConnected)) {
      const to = e.querySelector<HTMLElement>("[autofocus]") ?? [...e.querySelectorAll<HTMLElement>(focusable)].find((f) => f.checkVisibility());
      if (to) return to;
    }
    return null;
  });
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
