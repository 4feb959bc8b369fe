import type { Models } from "../../models/index.ts";

/** The user to whom inserted rows belong, and a text that all of them contain. */
export interface InsertTarget {
  readonly id: number;
  readonly label: string;
  readonly models: Models;
}

/** Returns a Steam id that is derived from the user's id, so that it is unique. */
export const steamIdOf = (userId: number): string => `765611980${String(userId).padStart(8, "0")}`;
