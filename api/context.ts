import type { SiteContext } from "../shared/ops/site-context.ts";
import type { LiveMaps } from "../shared/survival/map/live-maps.ts";
import type { KeptAnswers } from "./kept/kept-answers.ts";
import type { EventStreams } from "./stream/event-streams.ts";

/** What handlers of the API are handed: the process's context and what its requests share. */
export interface ApiContext extends SiteContext {
  readonly streams: EventStreams;
  readonly liveMaps: LiveMaps;
  readonly keptAnswers: KeptAnswers;
  /** Aborted when the process is to end: whoever waits for something answers now. */
  readonly stopping: AbortSignal;
}
