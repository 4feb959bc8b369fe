import type { PayloadFields } from "../visibility/view.ts";

/** Fields that describe the event and not the object; they are not part of its state. */
export const eventFields: readonly string[] = ["t", "from", "to", "reason"];

/** Returns the fields of a payload that are stored and compared. */
export const pickStateFields = (payload: PayloadFields): PayloadFields =>
  Object.fromEntries(Object.entries(payload).filter(([field]) => !eventFields.includes(field)));
