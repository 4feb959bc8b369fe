import type { ShardContext } from "../../shared/shard/context.ts";
import {
  findReplayStart,
  readEventsAfter,
  readEventsBetween,
  type StoredEvent,
  wasEventStreamed,
} from "../../shared/shard/streams/stored-events.ts";
import type { PayloadFields } from "../../shared/shard/visibility/view.ts";
import type { Visibility } from "../../shared/shard/visibility/visibility.ts";
import { Audience } from "./audience.ts";
import { type Frame, FrameCache } from "./frames.ts";
import type { EventLogSource } from "./log-source.ts";
import { encodeBlock } from "./sse.ts";
import { type ShardStreamName, type StreamAccessLevel, streams } from "./streams.ts";

/** Enough events in memory for clients that reconnect after a restart. */
const history = { events: 2_000, payloadChars: 8 * 1024 * 1024 };
/** Events that a new process reads, for clients of the process that it replaces. */
const warmEvents = 1_000;
const pageSize = { rows: 250, bytes: 1024 * 1024 };

export const createShardAudiences = (): readonly Audience[] =>
  (Object.keys(streams) as ShardStreamName[]).flatMap((stream) =>
    streams[stream].rungs.map((rung) => new Audience(stream, rung)),
  );

/** The stored events of the shard, for the streams in `streams`. */
export function shardSource(context: ShardContext): EventLogSource<StoredEvent> {
  const { sequelize, models, listener, visibility, config } = context;
  const frames = new FrameCache<StoredEvent, StreamAccessLevel>((event, audience) =>
    encode(event, audience, visibility.current),
  );
  return {
    history,
    warmEvents,
    keptMs: Math.min(
      config.EVENT_RETENTION,
      config.EVENT_RETENTION_LONG,
      config.EVENT_RETENTION_CHATTY,
    ),
    findStart: (count) => findReplayStart(sequelize, count),
    readAfter: (afterId, limit) => readEventsAfter(afterId, limit, context),
    readMissed(afterId, untilId, { stream, rung }) {
      const { reaches, kinds } = streams[stream as ShardStreamName];
      const range = { afterId, untilId, reaches, kinds: kinds(rung, visibility.current) };
      return readEventsBetween(sequelize, range, pageSize);
    },
    isStreamed: ({ reach }) => reach !== "none",
    wasStreamed: (id) => wasEventStreamed(id, { models }),
    frameOf: (event, audience) =>
      carries(audience, event) ? frames.frameOf(event, audience, visibility.current) : null,
    onNews: (heard) => listener.on("shard_events", ({ lastId }) => heard(lastId)),
  };
}

const carries = ({ stream }: StreamAccessLevel, { reach }: StoredEvent): boolean =>
  streams[stream as ShardStreamName].reaches.some((carried) => carried === reach);

function encode(
  event: StoredEvent,
  { stream, rung }: StreamAccessLevel,
  visibility: Visibility,
): Frame {
  const { id, kind, t, bootId, reach, createdAt } = event;
  const stored = { kind, reach, payload: JSON.parse(event.payload) as PayloadFields };
  const payload = streams[stream as ShardStreamName].project(stored, rung, visibility);
  return payload && encodeBlock({ id, data: { id, kind, t, bootId, payload, createdAt } });
}
