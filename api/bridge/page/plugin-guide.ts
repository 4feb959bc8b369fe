import type { GuideSection } from "../../../shared/platform/bridge/guide-sections.ts";
import { pluginLimits } from "../../../shared/platform/plugin/plugin-limits.ts";

const { waitSeconds, callsAtOnce, callsPerSecond, rememberedHours } = pluginLimits;

/** The guide's sections about the calls of a plugin and their refusals, in Markdown. */
export const pluginGuide = {
  choice: `
A game server is linked to the site in one of two ways.

- A **plugin** runs inside the game process and calls the site over HTTPS. The game server needs no
  open port.
- A **sidecar** is a separate program on the game server's machine. The site connects to it: the
  sidecar sends events over a WebSocket, and the site makes HTTP calls to the sidecar.

A plugin and a sidecar send the same kinds of events and carry out the same calls. There are two
games: \`uo\` is an Ultima Online shard, and \`rust\` is a survival server.

- To write a plugin, read the sections up to [When the site cannot be reached](#away).
- To write a sidecar, read the sections from [The WebSocket of a sidecar](#socket) on, and these
  sections about plugins: [Event keys](#event-keys), [States, snapshots and resync](#states),
  [Payloads](#payloads), [Carry out commands](#commands) and [Idempotency keys](#idempotency-keys).

The reference at the end describes each kind of event and each call, with an example.
\`GET /api/docs/bridge.json\` returns the reference as JSON, with JSON Schemas (draft 2020-12). Two
programs in the site's repository check your program: \`npm run plugin:check\` checks a plugin, and
\`npm run bridge:check\` checks a sidecar.
`,
  calls: `
An administrator of the site creates a plugin key for the game server. The site then shows a setup
command, which the owner of the game server enters in the game once:

\`\`\`text
guildhall.setup <url> <key>
\`\`\`

The plugin stores both values. \`<url>\` is the base URL of the four calls, such as
\`https://example.org/api/v1/plugin\`. \`<key>\` begins with \`ghk_\` and is valid for this game
server only. Do not write the key to a log.

| call                 | purpose                                                         |
| -------------------- | --------------------------------------------------------------- |
| \`POST /hello\`        | begins the session of a game process                            |
| \`POST /events\`       | sends events                                                    |
| \`GET /commands\`      | waits for commands; shows the site that the plugin is connected |
| \`POST /commands/:id\` | sends the outcome of a command                                  |

- Send the header \`Authorization: Bearer <key>\` with each call. These calls use no cookies.
- Use HTTP/1.1. Send each body as a JSON object in UTF-8, uncompressed, with the header
  \`Content-Type: application/json\`. Chunked transfer encoding and \`Expect: 100-continue\` work.
- Send numbers as JSON numbers, and times in epoch milliseconds. Each id that the plugin creates is
  a UUID.
- If the site refuses a call, the status is not 2xx, and the body is
  \`{ "error": "…", "code": "…" }\`. Decide by \`code\` what to do next ([What to do at each
  refusal](#refusals)). If the body has no \`code\` that you know, decide by the status: treat 401
  and 403 like \`UNAUTHORIZED\`, 409 like \`HELLO\`, 429 like \`LIMIT\`, 5xx as in [When the site
  cannot be reached](#away), and any other status like \`INVALID\`.
- With one plugin key, at most ${callsAtOnce} calls may be in progress at the same time, including
  \`GET /commands\`. Within one second, at most ${callsPerSecond} calls of \`POST /hello\` and
  \`POST /events\` together may begin. The site answers each further call with 429 \`LIMIT\`.
`,
  outline: `
\`\`\`text
when the game process starts:
  bootId = a new UUID
  epoch  = a new UUID,  seq = 0,  buffer = empty     (or load epoch, seq and buffer from a file)

when something happens in the game:                  (on the game's thread: no network here)
  seq = seq + 1
  append { seq, kind, t, payload } to the buffer

sender thread:
  repeat:
    POST /hello                    200: delete events up to cursor.seq;
                                        append the states that resync names
    repeat until the next call must be POST /hello:
      wait until the buffer contains an event that the site has not stored
      POST /events                 200: delete events up to seq
                                   other: see "What to do at each refusal"

command thread, after the first POST /hello was answered with 200:
  repeat:
    GET /commands?wait=${waitSeconds}&bootId=…
    for each command: carry it out on the game's thread
                      POST /commands/:id?bootId=… { status, body }
\`\`\`

The game's thread must never wait for the network. Catch every network error in the two other
threads, so that no error reaches the game.
`,
  hello: `
\`POST /hello\` is the first call after each start of the plugin, and the next call after each 409
except \`SUPERSEDED\`. Begin no other call before the site has answered it. [The
reference](#plugin-post-hello) describes its fields.

- \`bootId\` is a UUID that the plugin creates once for each game process. If the plugin is reloaded
  while the game process continues, send the same \`bootId\` again, provided that the plugin can
  remember it.
- \`capabilities\` lists the groups of calls that the plugin has; the overview of the [calls to a
  shard](#uo-calls) shows the group of each call. The site makes no call of a group that is not in
  the list. A plugin without such groups sends an empty list. List a group only if the plugin has
  all of its calls, so that it answers none of them with \`UNSUPPORTED\`.
- For a survival server, the site takes the capabilities from the event
  [\`server.hello\`](#rust-server.hello) instead. A plugin of a survival server sends this event
  before all other events.

The answer tells the plugin how to continue:

- \`cursor\` is the position (\`epoch\` and \`seq\`) of the newest event of this epoch that the site
  has stored. Delete the events up to \`cursor.seq\`, and send the next event. If \`cursor\` is
  null, the site has stored no event of this epoch: begin with the event whose \`seq\` is
  \`oldest\`.
- \`resync\` lists the families of states that may be outdated on the site. Append the states of
  these families to the buffer, after the events that already wait there ([States, snapshots and
  resync](#states)).
- \`pollSeconds\` is the value to send as \`wait\` with \`GET /commands\`. \`maxEvents\` is the
  maximum number of events in a call of \`POST /events\`. \`maxBytes\` is the maximum size of the
  body of \`POST /hello\` and of \`POST /events\`, in bytes.

If no answer arrives, send the same \`POST /hello\` again. If \`bootId\` differs from the \`bootId\`
of the previous \`POST /hello\`, the new game process takes over the link: for the next
${rememberedHours} hours, the site answers each call of the former game process with 409
\`SUPERSEDED\`.
`,
  refusals: `
- After each 409 except \`SUPERSEDED\`, the next call is \`POST /hello\`.
- After 401, 403 and 409 \`PROTOCOL\`, make no call for one minute. The next call is
  \`POST /hello\`.
- The header \`Retry-After\` contains a number of seconds. Repeat the call after this time, and not
  earlier.
`,
  away: `
The site can be unreachable for some minutes, for example while its host restarts it or while the
network is down. In this case, the connection is refused, no answer arrives in time, or the status
is 5xx without the header \`Retry-After\`.

- Wait at most 15 seconds for the answer to \`POST /hello\`, \`POST /events\` and
  \`POST /commands/:id\`, and at most ${waitSeconds + 15} seconds for the answer to
  \`GET /commands\`.
- Before each further attempt, wait for a random time between 0 and a limit. The limit is 1 second
  at first, doubles with each failed attempt, and never exceeds 60 seconds. After a success, it is 1
  second again.
- In the meantime, keep the events in the buffer. If the buffer becomes full, report a gap as soon
  as the site can be reached again.
- Repeat the same call. \`POST /hello\` is not necessary, unless the site answers 409.
`,
} as const satisfies { readonly [Section in GuideSection]?: string };
