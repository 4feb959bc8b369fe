import { audienceLadder, type Rung } from "../../shared/platform/access/roles.ts";
import type { Channel, StreamMessageName } from "../../shared/platform/notify/channels.ts";
import {
  listVisibleKinds,
  type ProjectedEvent,
  projectEvent,
  projectEventForAdmin,
} from "../../shared/shard/streams/projection.ts";
import type { StreamEvent } from "../../shared/shard/streams/stored-events.ts";
import type { PayloadFields } from "../../shared/shard/visibility/view.ts";
import type { Visibility } from "../../shared/shard/visibility/visibility.ts";

interface Stream {
  /** The access levels that can open the stream. They may see different fields and events. */
  readonly rungs: readonly Rung[];
  /** The audiences (`reach`) whose stored events the stream sends. */
  readonly reaches: readonly StreamEvent["reach"][];
  /** Returns the kinds that an access level can see; null for all kinds, including unknown ones. */
  readonly kinds: (rung: Rung, visibility: Visibility) => readonly string[] | null;
  /** The messages without an id that the stream also sends. */
  readonly notices: readonly StreamMessageName[];
  /** Returns the payload that an access level sees; null if it does not see the event. */
  readonly project: (
    event: ProjectedEvent,
    rung: Rung,
    visibility: Visibility,
  ) => PayloadFields | null;
}

/** CATALOGUE of the streams of the shard. Survival servers have one stream each, `survival`. */
export const streams = {
  public: {
    rungs: audienceLadder,
    reaches: ["public"],
    kinds: listVisibleKinds,
    notices: [],
    project: projectEvent,
  },
  admin: {
    rungs: ["admin"],
    reaches: ["public", "staff"],
    kinds: () => null,
    notices: ["job.progress", "event.run", "event.step"],
    project: projectEventForAdmin,
  },
  events: {
    rungs: ["staff", "admin"],
    reaches: [],
    kinds: () => [],
    notices: ["event.run", "event.step"],
    project: () => null,
  },
} as const satisfies Readonly<Record<string, Stream>>;

export type ShardStreamName = keyof typeof streams;
/** Streams that exist once for each topic, such as a survival server. */
export type TopicStream = "survival";
export type StreamName = ShardStreamName | TopicStream;

export const streamNames = [...Object.keys(streams), "survival"] as readonly StreamName[];

/** The notification channels of events and states of topics. */
export const topicChannels = [
  "survival_events",
  "survival_states",
  "survival_servers",
] as const satisfies readonly Channel[];

/** The streams that only staff open. */
export const staffStreams: readonly StreamName[] = ["admin", "events"];

/** Returns the messages without an id that a stream carries. */
export const listMessagesWithoutId = (stream: StreamName): readonly StreamMessageName[] =>
  stream === "survival" ? [] : streams[stream].notices;

/** One access level of one stream. All its subscribers get the same bytes. */
export interface StreamAccessLevel<Name extends StreamName = StreamName> {
  readonly stream: Name;
  readonly rung: Rung;
}
