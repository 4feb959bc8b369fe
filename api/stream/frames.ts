import type { StreamEvent } from "../../shared/shard/streams/stored-events.ts";
import type { PayloadFields } from "../../shared/shard/visibility/view.ts";
import type { Visibility } from "../../shared/shard/visibility/visibility.ts";
import { encodeBlock } from "./sse.ts";
import { type StreamRung, streams } from "./streams.ts";

/** The encoded bytes of an event for each access level of a stream. All subscribers share them. */
const made = new WeakMap<StreamEvent, { visibility: Visibility; frames: Map<StreamRung, Frame> }>();

/** The encoded event; null if the access level does not see it. */
type Frame = Buffer | null;

/** Encodes an event. Frames are cached by the identity of `streamRung`, so pass the same object each time. */
export function encodeFrame(
  event: StreamEvent,
  streamRung: StreamRung,
  visibility: Visibility,
): Frame {
  if (!carries(streamRung, event)) return null;
  const kept = made.get(event);
  const frames = kept?.visibility === visibility ? kept.frames : new Map<StreamRung, Frame>();
  if (frames !== kept?.frames) made.set(event, { visibility, frames });
  const known = frames.get(streamRung);
  if (known !== undefined) return known;
  const frame = encode(event, streamRung, visibility);
  frames.set(streamRung, frame);
  return frame;
}

const carries = ({ stream }: StreamRung, { reach }: StreamEvent): boolean =>
  streams[stream].reaches.some((carried) => carried === reach);

function encode(event: StreamEvent, streamRung: StreamRung, visibility: Visibility): Frame {
  const { id, kind, t, bootId, reach, createdAt } = event;
  const stored = { kind, reach, payload: JSON.parse(event.payload) as PayloadFields };
  const payload = streams[streamRung.stream].project(stored, streamRung.rung, visibility);
  return payload && encodeBlock({ id, data: { id, kind, t, bootId, payload, createdAt } });
}
