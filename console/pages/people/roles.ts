import type { Role } from "../../api/access.ts";
import type { Option } from "../../parts/options.ts";
import { words } from "../../words/words.ts";

/** Returns all roles with their names. */
export const roleChoices = (): readonly Option[] =>
  Object.entries(words.roles).map(([value, text]) => ({ value, text }));

/** Returns the role that a text names; undefined if it names none. */
export const parseRole = (text: string | null): Role | undefined =>
  text !== null && Object.hasOwn(words.roles, text) ? (text as Role) : undefined;
