import type { Role } from "../../api/access.ts";
import type { Choice } from "../../parts/filters.ts";
import { words } from "../../words/words.ts";

/** Returns all roles with their names. */
export const roleChoices = (): readonly Choice[] =>
  Object.entries(words.roles).map(([value, text]) => ({ value, text }));

/** Returns the role that a text names; undefined if it names none. */
export const roleNamed = (text: string | null): Role | undefined =>
  text !== null && Object.hasOwn(words.roles, text) ? (text as Role) : undefined;
