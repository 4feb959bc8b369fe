import type { Fields } from "../visibility/view.ts";

/** Fields that say what happened to a thing rather than what it is; left out of its state. */
export const eventFields: readonly string[] = ["t", "from", "to", "reason"];

/** What is stored and compared: the payload without its time and without what merely happened. */
export const stateOf = (payload: Fields): Fields =>
  Object.fromEntries(Object.entries(payload).filter(([field]) => !eventFields.includes(field)));
