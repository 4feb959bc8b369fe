import { ladder, type Rung } from "../../shared/platform/access/roles.ts";
import type { NoticeName } from "../../shared/platform/notify/channels.ts";
import {
  kindsSeen,
  type ProjectedEvent,
  projectEvent,
  projectForAdmin,
} from "../../shared/shard/streams/projection.ts";
import type { StreamEvent } from "../../shared/shard/streams/stored-events.ts";
import type { Fields } from "../../shared/shard/visibility/view.ts";
import type { Visibility } from "../../shared/shard/visibility/visibility.ts";

interface Stream {
  /** The rungs it is open to: each sees a projection of its own. */
  readonly rungs: readonly Rung[];
  /** Which stored events it carries, by their reach. */
  readonly reaches: readonly StreamEvent["reach"][];
  /** The kinds of which a rung sees anything; null: all there are, known or not. */
  readonly kinds: (rung: Rung, visibility: Visibility) => readonly string[] | null;
  /** What it carries beside them. */
  readonly notices: readonly NoticeName[];
  /** What a rung sees of an event's payload; null when it does not see the event. */
  readonly project: (event: ProjectedEvent, rung: Rung, visibility: Visibility) => Fields | null;
}

/** CATALOGUE of event streams. */
export const streams = {
  public: {
    rungs: ladder,
    reaches: ["public"],
    kinds: kindsSeen,
    notices: [],
    project: projectEvent,
  },
  admin: {
    rungs: ["admin"],
    reaches: ["public", "staff"],
    kinds: () => null,
    notices: ["job.progress", "event.run", "event.step"],
    project: projectForAdmin,
  },
  events: {
    rungs: ["staff", "admin"],
    reaches: [],
    kinds: () => [],
    notices: ["event.run", "event.step"],
    project: () => null,
  },
} as const satisfies Readonly<Record<string, Stream>>;

export type StreamName = keyof typeof streams;

/** One rung of one stream: all its subscribers are sent the same bytes. */
export interface StreamRung {
  readonly stream: StreamName;
  readonly rung: Rung;
}
