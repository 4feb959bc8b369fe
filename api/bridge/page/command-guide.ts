import type { GuideSection } from "../../../shared/platform/bridge/guide-sections.ts";
import { pluginLimits } from "../../../shared/platform/plugin/plugin-limits.ts";
import { formatMebibytes } from "./event-guide.ts";

const { waitSeconds, silentSeconds, commands, rememberedHours } = pluginLimits;

/** The guide's sections about commands, in Markdown. */
export const commandGuide = {
  wait: `
\`GET /commands?wait=${waitSeconds}&bootId=<uuid>\` returns the list \`commands\` as soon as the
site has commands for the game. If the site has none for ${waitSeconds} seconds, it returns an empty
list. Set the timeout of your HTTP client to at least ${waitSeconds + 15} seconds.

- Only one \`GET /commands\` may be in progress at a time. If a second one arrives, the site
  immediately answers the first one with an empty list.
- Send the next \`GET /commands\` as soon as the previous one is answered, even while commands are
  still being carried out.
- An answer contains at most ${commands} commands. The site sends each command only once. If the
  connection breaks before the whole answer is sent, its commands are lost, and the requests that
  caused them fail.
- The site considers the plugin connected while a \`GET /commands\` is in progress, and for
  ${silentSeconds} seconds after the end of the plugin's last call. If the plugin does not fetch a
  command within ${pluginLimits.takeMs / 1_000} seconds, the site withdraws it, and the request that
  caused it fails because the game server is not available.
`,
  commands: `
A command asks the game to carry out one call, such as \`POST /v1/broadcast\` or
\`GET /v1/accounts/:account/roster\`. The reference describes all calls ([shard](#uo-calls),
[survival server](#rust-calls)). A call is either a **write**, which changes something in the game,
or a **read**, which changes nothing.

- \`call\` is the method and the path of the call, with \`:name\` in place of each path parameter.
  \`params\` contains the values of the path parameters, and \`query\` those of the query. All of
  these values are texts. \`body\` is an object or null.
- Carry out the command on the game's own thread. Send the outcome within \`timeoutMs\`
  milliseconds.
- \`actor\` is the user who makes the call, for the game's own log. In reads and in
  \`POST /v1/resync\`, \`actor\` and \`key\` are null.
- The outcome consists of the status and the body of the answer to the call. Send it with
  \`POST /commands/<id>?bootId=<uuid>\` and a body such as
  \`{ "status": 200, "body": { "ok": true } }\`. The site answers 204.
- If the plugin does not have the call, the outcome is
  \`{ "status": 422, "body": { "code": "UNSUPPORTED" } }\`.
- If a field of the command's body is invalid, the outcome is
  \`{ "status": 400, "body": { "code": "INVALID", "field": "text", "reason": "is missing" } }\`. The
  table below lists the other refusals.
- If no answer arrives, or if the status is 503, send the same outcome again, byte for byte, until
  another answer arrives. After that, send no further outcome of this command.
- Send the outcome even after \`timeoutMs\`: the site stores a late outcome of a write, and returns
  it when the write is repeated with the same idempotency key.
- The body of an outcome has at most ${formatMebibytes(pluginLimits.outcomeBytes)}. A file in it is
  \`{ "mime": "image/png", "data": "<base64>" }\`, with at most ${formatMebibytes(pluginLimits.fileBytes)}
  after decoding.
`,
  "idempotency-keys": `
If a client of the site receives no answer, the client repeats its request. The site may then send
the write to the game again, with the same idempotency key: the field \`key\` of a command, or the
header \`Idempotency-Key\` of a call to a sidecar. A write with a known key must not happen twice.

- Store the key as soon as the write reaches the game. If the same key arrives again while the write
  is in progress, wait for its outcome, and answer both with this outcome.
- If the outcome was 2xx, store it with the key for ${rememberedHours} hours. A plugin may store
  both in memory; a sidecar stores both on disk. If the same key arrives again with the same call,
  parameters and body, answer with the stored outcome, and do nothing in the game.
- If the same key arrives with another call, other parameters or another body, answer 409
  \`CONFLICT\`.
- If the outcome was not 2xx, forget the key: nothing happened in the game, and a later attempt with
  the same key may succeed.
`,
} as const satisfies { readonly [Section in GuideSection]?: string };
