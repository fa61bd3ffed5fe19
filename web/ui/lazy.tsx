// Parts of a page that are loaded when they are first shown.

import { useEffect, useState } from "preact/hooks";
import type { ComponentType, JSX } from "preact";

/** lazy returns a component whose code load imports; until it is there, nothing is shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P): JSX.Element | null {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (!Part) void load().then((part) => setPart(() => loaded = part), () => {}); // without a connection it stays away
    }, []);
    return Part ? <Part {...props} /> : null;
  };
}
