import { callSentences } from "../calls/sentences.ts";
import { eventSentences } from "../payloads/event-sentences.ts";
import { sentencesOf } from "../report/sentence.ts";

/** CATALOGUE of what `npm run bridge:check` judges. */
export const bridgeSentences = {
  ...sentencesOf("refused", {
    "refused.token": ["A wrong token is refused with 401 before the upgrade", "socket"],
    "refused.protocol": [
      'Another protocol is refused with 409 { "code": "PROTOCOL", server, client }',
      "socket",
    ],
  }),
  ...sentencesOf("stream", {
    "stream.hello": ["The first frame of a connection is hello, with all its fields", "frames"],
    "stream.frames": ["Frames are JSON texts of the types of the table", "frames"],
    "stream.order": ["Replayed events come before live, others after it", "socket"],
    "stream.sequence": ["seq rises by one within an epoch; a hole is told as a gap", "socket"],
    "stream.replay": ["live comes when everything up to its head was sent", "socket"],
    "stream.live": ["What happens in the game comes as an event", "socket"],
  }),
  ...eventSentences,
  ...sentencesOf("resume", {
    "resume.after": ["A connection with a cursor begins behind it", "socket"],
    "resume.head": ["A connection with the head as its cursor has nothing to replay", "socket"],
    "resume.epoch": ["A cursor of another epoch brings the whole buffer and no gap", "socket"],
    "resume.gap": ["What the buffer no longer holds is told as a gap", "socket"],
  }),
  ...sentencesOf("clients", {
    "clients.locked": ['A second client is refused with 423 { "code": "LOCKED" }', "socket"],
    "clients.freed": ["When the client is gone, the next is let in", "socket"],
    "clients.ping": ["A ping is answered", "socket"],
    "clients.ack": ["An ack is accepted, and what it names can still be replayed", "frames"],
  }),
  ...sentencesOf("control", {
    "control.token": ["A call with a wrong token is 401", "sidecar-calls"],
    "control.protocol": ["A call of another protocol is 409 PROTOCOL", "sidecar-calls"],
    "control.unknown": [
      "A call that the sidecar does not have is 404 NOT_FOUND or 422 UNSUPPORTED",
      "commands",
    ],
    "control.json": ["Answers are JSON objects, and no redirects", "sidecar-calls"],
  }),
  ...callSentences,
  ...sentencesOf("commands", {
    "commands.resync": ["POST /v1/resync is answered 202", "states"],
    "commands.invalid": ["A wrong body is 400 INVALID with its field", "commands"],
    "commands.done": ["A broadcast (Rust: an announcement) is carried out", "commands"],
    "commands.key": ["A repeated key has the same outcome", "idempotency-keys"],
    "commands.flight": ["Two commands at once with one key have one outcome", "idempotency-keys"],
    "commands.conflict": ["A key with another body is 409 CONFLICT", "idempotency-keys"],
  }),
};

export type BridgeSentence = keyof typeof bridgeSentences;
