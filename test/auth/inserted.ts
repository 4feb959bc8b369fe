import type { Models } from "../../models/index.ts";

/** The user and the label of the inserted rows. */
export interface InsertTarget {
  readonly id: number;
  readonly label: string;
  readonly models: Models;
}

/** Derived from the user's id, so that it is unique. */
export const steamIdOf = (userId: number): string => `765611980${String(userId).padStart(8, "0")}`;
