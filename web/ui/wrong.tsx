// Errors of form fields, shown at the field.

import { useEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import type { Trouble } from "./api";

const idOf = (field: string): string => `field-${field}`;

/** marked returns the attributes that link an input with its error. */
export const marked = (field: string, trouble: Trouble | null): { id: string; "aria-invalid"?: boolean; "aria-describedby"?: string } => {
  const here = trouble?.field === field;
  return { id: idOf(field), "aria-invalid": here || undefined, "aria-describedby": here ? `${idOf(field)}-wrong` : undefined };
};

/** Wrong shows the error of a field and focuses the field. */
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

/** Seen shows an error that belongs to no field, and scrolls it into view. */
export function Seen({ text }: { text: string }): JSX.Element {
  const here = useRef<HTMLParagraphElement>(null);
  useEffect(() => here.current!.scrollIntoView({ block: "nearest" }), []);
  return <p ref={here} class="trouble" role="alert">{text}</p>;
}
