import { callSentences } from "../calls/sentences.ts";
import { eventSentences } from "../payloads/event-sentences.ts";
import { sentencesOf } from "../report/sentence.ts";

const stream = "bridge.md §1";
const control = "bridge.md §2";

/** CATALOGUE of what `npm run bridge:check` judges. */
export const bridgeSentences = {
  ...sentencesOf("refused", {
    "refused.token": ["A wrong token is refused with 401 before the upgrade", stream],
    "refused.protocol": [
      'Another protocol is refused with 409 { "code": "PROTOCOL", server, client }',
      stream,
    ],
  }),
  ...sentencesOf("stream", {
    "stream.hello": ["The first frame of a connection is hello, with all its fields", stream],
    "stream.frames": ["Frames are JSON texts of the types of the table", stream],
    "stream.order": ["Replayed events come before live, others after it", stream],
    "stream.sequence": ["seq rises by one within an epoch; a hole is told as a gap", stream],
    "stream.replay": ["live comes when everything up to its head was sent", stream],
    "stream.live": ["What happens in the game comes as an event", stream],
  }),
  ...eventSentences,
  ...sentencesOf("resume", {
    "resume.after": ["A connection with a cursor begins behind it", stream],
    "resume.head": ["A connection with the head as its cursor has nothing to replay", stream],
    "resume.epoch": ["A cursor of another epoch brings the whole buffer and no gap", stream],
    "resume.gap": ["What the buffer no longer holds is told as a gap", stream],
  }),
  ...sentencesOf("clients", {
    "clients.locked": ['A second client is refused with 423 { "code": "LOCKED" }', stream],
    "clients.freed": ["When the client is gone, the next is let in", stream],
    "clients.ping": ["A ping is answered", stream],
    "clients.ack": ["An ack is accepted, and what it names can still be replayed", stream],
  }),
  ...sentencesOf("control", {
    "control.token": ["A call with a wrong token is 401", control],
    "control.protocol": ["A call of another protocol is 409 PROTOCOL", control],
    "control.unknown": [
      "A call that the sidecar does not have is 404 NOT_FOUND or 422 UNSUPPORTED",
      control,
    ],
    "control.json": ["Answers are JSON objects, and no redirects", control],
  }),
  ...callSentences,
  ...sentencesOf("commands", {
    "commands.resync": ["POST /v1/resync is answered 202", control],
    "commands.invalid": ["A wrong body is 400 INVALID with its field", control],
    "commands.done": ["A broadcast (Rust: an announcement) is carried out", control],
    "commands.key": ["A repeated key has the same outcome", control],
    "commands.flight": ["Two commands at once with one key have one outcome", control],
    "commands.conflict": ["A key with another body is 409 CONFLICT", control],
  }),
};

export type BridgeSentence = keyof typeof bridgeSentences;
