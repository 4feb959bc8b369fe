import type { Context } from "../shared/context.ts";
import type { EventStreams } from "./stream/hub.ts";

/** What handlers of the API are handed: the process's context and its open event streams. */
export interface ApiContext extends Context {
  readonly streams: EventStreams;
}
