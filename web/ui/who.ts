// Who the visitor is: a guest with a friendly name, or somebody with an account.

import { signal } from "@preact/signals";
import { call } from "./api";

export interface Who {
  name: string;
  guest: boolean;
  role?: string;
  created?: string;
}

/** who is null until the server has answered. */
export const who = signal<Who | null>(null);

/** look asks the server who the visitor is. */
export async function look(): Promise<void> {
  who.value = await call<Who>("GET", "/api/account");
}
