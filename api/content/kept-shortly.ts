import { validated } from "../http/etag.ts";

/** However many follow a link to a text at once, it is read once; a change shows within half a second. */
export const keptShortly = { ...validated, keepMs: 500 } as const;
