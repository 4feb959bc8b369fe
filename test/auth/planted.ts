import type { Models } from "../../models/index.ts";

/** Whose rows they are, and what stands in them. */
export interface Planted {
  readonly id: number;
  readonly label: string;
  readonly models: Models;
}

/** By the user's id, so that two users have two. */
export const steamIdOf = (userId: number): string => `765611980${String(userId).padStart(8, "0")}`;
