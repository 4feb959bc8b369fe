import type { SiteContext } from "../shared/ops/site-context.ts";
import type { LiveMaps } from "../shared/survival/map/live-maps.ts";
import type { AnswerCache } from "./cache/answer-cache.ts";
import type { EventStreams } from "./stream/event-streams.ts";

/** The context of the API's handlers: the process's context and the state that requests share. */
export interface ApiContext extends SiteContext {
  readonly streams: EventStreams;
  readonly liveMaps: LiveMaps;
  readonly keptAnswers: AnswerCache;
  /** Aborts when the process stops, so that waiting requests answer at once. */
  readonly stopping: AbortSignal;
}
