import type { Actor } from "../../platform/bridge/calls/call.ts";

/** What the site does by itself to survival servers: nobody's session is behind it. */
export const systemActor: Actor = { userId: null, username: "system", role: "system" };
