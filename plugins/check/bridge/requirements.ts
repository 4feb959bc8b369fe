import { callRequirements } from "../calls/requirements.ts";
import { eventRequirements } from "../payloads/event-requirements.ts";
import { declareRequirements } from "../report/requirement.ts";

/** CATALOGUE of the protocol's requirements that `npm run bridge:check` checks. */
export const bridgeRequirements = {
  ...declareRequirements("refused", {
    "refused.token": ["The sidecar refuses a wrong token with 401 before the upgrade", "socket"],
    "refused.protocol": [
      'The sidecar refuses another version with 409 { "code": "PROTOCOL", server, client }',
      "socket",
    ],
  }),
  ...declareRequirements("stream", {
    "stream.hello": ["The first frame of a connection is hello, with all its fields", "frames"],
    "stream.frames": ["Each frame is a JSON text of a type that the protocol defines", "frames"],
    "stream.order": [
      "Events with replay true come before live, and all other events after it",
      "socket",
    ],
    "stream.sequence": [
      "seq increases by one within an epoch; the sidecar reports each missing range as a gap",
      "socket",
    ],
    "stream.replay": ["The sidecar sends live after all events up to its head", "socket"],
    "stream.live": ["When something happens in the game, the sidecar sends an event", "socket"],
  }),
  ...eventRequirements,
  ...declareRequirements("resume", {
    "resume.after": [
      "If the site connects with a cursor, the sidecar begins with the event after the cursor",
      "socket",
    ],
    "resume.head": ["If the cursor is the newest event, the sidecar replays no event", "socket"],
    "resume.epoch": [
      "If the cursor has another epoch, the sidecar sends the whole buffer and no gap",
      "socket",
    ],
    "resume.gap": [
      "If the buffer no longer contains events after the cursor, the sidecar reports a gap",
      "socket",
    ],
  }),
  ...declareRequirements("clients", {
    "clients.locked": [
      'The sidecar refuses a second client with 423 { "code": "LOCKED" }',
      "socket",
    ],
    "clients.freed": [
      "After a client has disconnected, the sidecar accepts the next client",
      "socket",
    ],
    "clients.ping": ["The sidecar answers a ping", "socket"],
    "clients.ack": [
      "The sidecar accepts an ack, and can still replay the acknowledged events",
      "frames",
    ],
  }),
  ...declareRequirements("control", {
    "control.token": ["The sidecar answers a call with a wrong token with 401", "sidecar-calls"],
    "control.protocol": [
      "The sidecar answers a call of another protocol version with 409 PROTOCOL",
      "sidecar-calls",
    ],
    "control.unknown": [
      "The sidecar answers a call that it does not have with 404 NOT_FOUND or 422 UNSUPPORTED",
      "commands",
    ],
    "control.json": [
      "The sidecar answers calls with JSON objects, and does not redirect",
      "sidecar-calls",
    ],
  }),
  ...callRequirements,
  ...declareRequirements("commands", {
    "commands.resync": ["The sidecar answers POST /v1/resync with 202", "states"],
    "commands.invalid": [
      "The sidecar answers a body with an invalid field with 400 INVALID",
      "commands",
    ],
    "commands.done": ["The sidecar carries out a broadcast (Rust: an announcement)", "commands"],
    "commands.key": [
      "If an idempotency key is repeated, the sidecar answers as it did the first time",
      "idempotency-keys",
    ],
    "commands.flight": [
      "If two calls with the same idempotency key arrive at once, both have the same answer",
      "idempotency-keys",
    ],
    "commands.conflict": [
      "If an idempotency key arrives with another body, the sidecar answers 409 CONFLICT",
      "idempotency-keys",
    ],
  }),
};

export type BridgeRequirement = keyof typeof bridgeRequirements;
