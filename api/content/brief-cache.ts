import { validated } from "../http/etag.ts";

/** Many concurrent requests for a text share one read. Changes show within half a second. */
export const briefCache = { ...validated, keepMs: 500 } as const;
