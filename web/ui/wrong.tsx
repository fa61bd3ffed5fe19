// What is wrong with a field of a form, said at the field.

import { useEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import type { Trouble } from "./api";

const idOf = (field: string): string => `field-${field}`;

/** marked returns what an input has to have so that what is wrong with it is found. */
export const marked = (field: string, trouble: Trouble | null): { id: string; "aria-invalid"?: boolean; "aria-describedby"?: string } => {
  const here = trouble?.field === field;
  return { id: idOf(field), "aria-invalid": here || undefined, "aria-describedby": here ? `${idOf(field)}-wrong` : undefined };
};

/** Wrong says it, if it is this field that is wrong, and takes the focus there. */
export function Wrong({ field, trouble }: { field: string; trouble: Trouble | null }): JSX.Element | null {
  const here = trouble?.field === field;
  useEffect(() => {
    if (!here) return;
    const input = document.getElementById(idOf(field));
    const closed = input?.closest("details");
    if (closed) closed.open = true;
    input?.focus();
  }, [trouble]);
  return here ? <p class="trouble" role="alert" id={`${idOf(field)}-wrong`}>{trouble.message}</p> : null;
}

/** Seen says what is wrong with no field, where it is seen: the button was pressed from afar. */
export function Seen({ text }: { text: string }): JSX.Element {
  const here = useRef<HTMLParagraphElement>(null);
  useEffect(() => here.current!.scrollIntoView({ block: "nearest" }), []);
  return <p ref={here} class="trouble" role="alert">{text}</p>;
}
