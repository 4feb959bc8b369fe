import type { StreamEvent } from "../../shared/shard/stored-events.ts";
import type { Fields } from "../../shared/shard/view.ts";
import type { Visibility } from "../../shared/shard/visibility.ts";
import { encodeBlock } from "../http/sse.ts";
import { type Place, streams } from "./streams.ts";

/** The bytes of each place, made once for all who are there. */
const made = new WeakMap<StreamEvent, { visibility: Visibility; frames: Map<Place, Frame> }>();

/** Null: the event is not seen there. */
type Frame = Buffer | null;

/**
 * What is sent of an event under the visibility in force. Pass the same `place` object each time:
 * frames are kept by its identity.
 */
export function frameFor(event: StreamEvent, place: Place, visibility: Visibility): Frame {
  if (!reaches(event, place)) return null;
  const kept = made.get(event);
  const frames = kept?.visibility === visibility ? kept.frames : new Map<Place, Frame>();
  if (frames !== kept?.frames) made.set(event, { visibility, frames });
  const known = frames.get(place);
  if (known !== undefined) return known;
  const frame = encode(event, place, visibility);
  frames.set(place, frame);
  return frame;
}

const reaches = ({ reach }: StreamEvent, { stream }: Place): boolean =>
  streams[stream].reaches.some((carried) => carried === reach);

function encode(event: StreamEvent, place: Place, visibility: Visibility): Frame {
  const { id, kind, t, bootId, reach, createdAt } = event;
  const stored = { kind, reach, payload: JSON.parse(event.payload) as Fields };
  const payload = streams[place.stream].project(stored, place.rung, visibility);
  return payload && encodeBlock({ id, data: { id, kind, t, bootId, payload, createdAt } });
}
