import { limitField } from "../http/fields.ts";

/** How many lines of a table are answered at once. */
export const pageLimit = limitField({ min: 1, max: 100, default: 50 });
