import type { GuideSection } from "../../../shared/bridge/guide-sections.ts";
import { pluginLimits } from "../../../shared/plugin/plugin-limits.ts";

const { events, waitSeconds, silentSeconds, callsAtOnce, callsPerSecond } = pluginLimits;
const { commands, rememberedHours } = pluginLimits;
const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

/** What people who write a plugin read, section by section, in Markdown. */
export const pluginGuide = {
  choice: `
A game server is linked to the site in one of two ways.

- A **plugin** runs inside the game and calls the site over HTTPS. The game server needs no open port.
- A **sidecar** is a program beside the game server. The site connects to it: a WebSocket brings the
  events, and HTTP calls carry the commands.

Both send the same events and carry out the same calls. There are two games: \`uo\` is an Ultima Online
shard, and \`rust\` is a survival server.

Read the sections up to [When the site is away](#away) to write a plugin. Read from
[The socket of a sidecar](#socket) on, and the sections about [event keys](#event-keys),
[states](#states), [payloads](#payloads) and [idempotency keys](#idempotency-keys), to write a sidecar.
The reference at the end lists every kind of event and every call, with an example of each.

\`GET /api/docs/bridge.json\` has the reference for programs, with JSON Schemas (draft 2020-12). Two
programs of the site's repository judge yours: \`npm run plugin:check\` and \`npm run bridge:check\`.
`,
  calls: `
An administrator of the site makes a key. The site then shows a line, which the owner types once on the
game server:

\`\`\`text
guildhall.setup <url> <key>
\`\`\`

The plugin keeps both. \`<url>\` is where the four calls are, such as
\`https://example.org/api/v1/plugin\`. The key begins with \`ghk_\`. It belongs to one game server. Do
not write it into a log.

| call                 | does                                                       |
| -------------------- | ---------------------------------------------------------- |
| \`POST /hello\`        | begins the session of a game process                       |
| \`POST /events\`       | sends events                                               |
| \`GET /commands\`      | waits for commands, and is the plugin's sign of life       |
| \`POST /commands/:id\` | answers a command                                          |

- Send \`Authorization: Bearer <key>\` with each call. There are no cookies.
- Speak HTTP/1.1. Bodies are JSON objects in UTF-8 with \`Content-Type: application/json\`, not
  compressed. Chunked bodies and \`Expect: 100-continue\` work.
- Numbers are JSON numbers. Times are epoch milliseconds. Ids that the plugin makes are UUIDs.
- An answer other than 2xx has the body \`{ "error": "…", "code": "…" }\`. Act on \`code\`
  ([What to do at each refusal](#refusals)). If there is no code that you know, act on the status.
- At most ${callsAtOnce} calls of a key may be open at once. At most ${callsPerSecond} hellos and calls
  with events may begin in a second.
`,
  outline: `
\`\`\`text
when the game process starts:
  bootId = a new UUID
  epoch  = a new UUID,  seq = 0,  buffer = empty     (or all three from a file)

when something happens in the game:                  (on the game's thread: no network here)
  seq = seq + 1
  append { seq, kind, t, payload } to the buffer

sender, a thread of its own:
  repeat:
    POST /hello                    200: drop events up to cursor.seq; queue what resync names
    while the session holds:
      wait until the buffer holds an event that is not stored
      POST /events                 200: drop events up to seq
                                   other: see "What to do at each refusal"

waiter, a thread of its own, after the answer of a hello:
  repeat:
    GET /commands?wait=${waitSeconds}&bootId=…
    for each command: carry it out on the game's thread
                      POST /commands/:id?bootId=… { status, body }
\`\`\`

The game must never wait for the network, and no error of the network may reach the game.
`,
  hello: `
\`POST /hello\` is the first call after each start of the plugin, and after each 409. Begin no other call
before its answer. [Its fields](#plugin-post-hello) are in the reference.

- \`bootId\` is a UUID that the plugin makes once for each game process. If only the plugin is reloaded
  and can remember it, the \`bootId\` stays.
- \`capabilities\` names the families of calls that the plugin has
  ([calls to a shard](#uo-calls), [calls to a survival server](#rust-calls)). The site makes no call
  of a family that is missing. A plugin without any sends an empty list. Do not name a family of
  which a call is answered \`UNSUPPORTED\`.
- A plugin of a survival server also sends the event [\`server.hello\`](#rust-server.hello) before all
  other events. The site reads the capabilities of a survival server there.

The answer tells how to go on:

- \`cursor\` is the newest event of this epoch that the site has stored. Drop the events up to it, and
  send the next one. If \`cursor\` is null, nothing of this epoch is stored: begin with \`oldest\`.
- \`resync\` names families of states that the site may have wrong. Send them
  ([States](#states)), after the events that wait.
- \`pollSeconds\`, \`maxEvents\` and \`maxBytes\` are limits of this site. Keep to them.

If the answer is lost, send the same hello again. A hello with another \`bootId\` takes the link over:
the process before it is answered 409 \`SUPERSEDED\` from then on.
`,
  buffer: `
Three ids tell what a plugin sends.

- \`seq\` numbers the events. Each event gets the next number when it happens. No number is given twice
  in an epoch. The first event of an epoch may have any number; 1 is usual.
- \`epoch\` is a UUID of the buffer. Make a new one when the buffer is lost, and \`seq\` begins anew: at
  each start of the plugin, unless a file keeps the buffer, \`epoch\` and \`seq\`.
- \`bootId\` is a UUID of the game process.

Keep each event until an answer says that it is stored. Keep at most 20,000 events and 16 MiB. If the
buffer is full, drop the oldest event and [tell the gap](#gaps). Never stop the game for it.

\`oldest\` and \`head\` of a hello are the first and the last \`seq\` in the buffer. If the buffer is
empty, \`oldest\` is \`head\` + 1. An event of a former game process keeps its \`bootId\`: name it in the
event.
`,
  events: `
Call \`POST /events\` as soon as an event waits and no other call of events is open. No timer is needed:
while one call is on its way, events gather for the next.

- One call of events is open at a time. It holds at most ${events} events, oldest first, and at most
  ${mebibytes(pluginLimits.bytes)}.
- An event is \`{ seq, kind, t, payload }\`, and may have \`eventKey\`, \`bootId\` and \`saveId\`.
  \`seq\` and \`t\` are whole numbers from 0. \`payload\` is an object with the fields of the kind.
- \`seq\` rises by one from event to event, within a call and from call to call.
- The answer \`{ "seq": 42 }\` is the highest event that is stored for good. Drop the events up to it,
  and go on with the next, even if the call held more.
- If there is no answer, or 503, send the same events again, unchanged. The site passes over what it
  has stored already.
- The site stores the events in the order of \`seq\`. Only \`t\` may be out of order.
- An event that breaks a rule of its kind is skipped, and its \`seq\` counts as stored. Do not send it
  again. Administrators see it with the reason.
- An event of a kind that the site does not know is stored, and shown to staff only.

[Its fields](#plugin-post-events) are in the reference, and so is each kind of event.
`,
  "event-keys": `
\`eventKey\` is optional. It names a fact, so that the site stores the fact once even if a new buffer
sends it again under another \`epoch\` and \`seq\`. Use it for what can be found again after a restart,
such as sales that the game keeps in a log.

- Make the key of facts of the game, in at most 256 characters: \`sold:0x00012F3A:0x400A91C2:1764200000000\`,
  \`join:76561198000000001:1764197480000\`, \`death:76561198000000001:1764200000000\`.
- Two different facts never have the same key. A game that crashes without a save goes back in time:
  accounts and serials come again with other facts. Put the time or the \`bootId\` into the key of
  anything that can happen again.
- States need no key.
`,
  gaps: `
Tell events that the plugin no longer has as a gap. There are three causes: the buffer was full, a file
was damaged, or the site was restored from a backup and asks for events that were dropped.

\`\`\`json
{
  "epoch": "0b0a4e6c-5f0e-4a55-8f3f-0d9d7f6f3a11",
  "bootId": "5a7d2b1e-93a7-4d0c-a2d5-3d7f7a1f5d20",
  "gap": { "from": 42, "to": 97, "reason": "buffer full" },
  "events": [{ "seq": 98, "kind": "server.heartbeat", "t": 1767225600000, "payload": { "online": 3 } }]
}
\`\`\`

- \`from\` is the event after the last stored one, and \`to\` + 1 is the first event of the call. A call
  has one gap at most, and \`events\` may be empty.
- After a gap the site asks for the [states](#states) with a command \`POST /v1/resync\`.
`,
  states: `
An **event** tells what happened. A **state** tells how something is, and replaces what the site has
stored. The reference says of each kind which it is. The site compares: a state that changed nothing is
neither shown nor pushed as news, so a plugin may send a state again.

Send a state when it changes. States may be wrong after a gap, a new epoch, or a restart of the game.
Then the site names *families* in \`resync\` of the answer to a hello, or in the command
\`POST /v1/resync\` (answer 202 with \`{}\` first). It names a family until the states have come. Send
those families whole, as events:

- A **shard** sends a snapshot of each family: \`<family>.snapshot.begin\` with the number of pages and
  rows, \`<family>.snapshot.page\` for the pages from 1 on, and \`<family>.snapshot.end\`, all with the
  same \`snapshotId\`. Rows are payloads of the family's upsert. Make pages of about 100 rows, since an
  event has at most 256 KiB. A family without any rows is a begin with 0 pages, and an end. Upserts that
  come after the begin win over the rows. What the snapshot lacks is deleted. A new begin discards a
  snapshot that did not end.
- A **survival server** sends the kinds of the family. Each replaces what is stored.

A shard also sends these states unasked after each start: \`world.ruleset\` and \`presence.online\`.
`,
  payloads: `
- A field that is not required may be null or absent. Both mean the same.
- A payload may have more fields than are declared. The site may keep them, and never shows them to the
  public.
- A value of a wrong type, a number out of bounds or a text that is too long: the site skips the event.
  Fields of which the site keeps a part say so. In a list of a survival server's kind, only the rows
  with wrong values are left out.
- The site removes markup and invisible characters from texts for people. NUL becomes U+FFFD.
- Serials of a shard are \`0x\` and eight hexadecimal digits, such as \`0x40001A2B\`.
- 64-bit numbers, such as Steam ids, are texts of digits. An integer is taken too.
- A payload has at most 32 levels. A kind has 1 to 64 characters: lower-case letters, digits, \`.\`,
  \`_\` and \`-\`, the first a letter.
`,
  wait: `
\`GET /commands?wait=${waitSeconds}&bootId=<uuid>\` is answered as soon as there are commands, and with an
empty list after ${waitSeconds} seconds. Wait at least ${waitSeconds + 15} seconds for the answer.

- One wait is open at a time. A newer one ends the older with an empty list.
- Begin the next wait as soon as the answer is there, while commands are still being carried out.
- An answer may have up to ${commands} commands. Each command is given once. If the connection breaks
  while its answer is read, the command is lost, and its caller is told so.
- The wait is the sign of life: ${silentSeconds} seconds after the end of its last call the plugin counts
  as lost. Commands that no wait takes within ${pluginLimits.takeMs / 1_000} seconds are withdrawn, and their
  callers are told that the game is away.
`,
  commands: `
A command names a call by its method and path, such as \`POST /v1/broadcast\` or
\`GET /v1/accounts/:account/roster\`. \`params\` fills the names in the path. \`params\` and \`query\` are
texts, and \`body\` is an object or null. The references list all calls
([shard](#uo-calls), [survival server](#rust-calls)).

- Carry the command out on the game's own thread. Answer within \`timeoutMs\`.
- \`actor\` is the person who acts, for the game's own log. Reads have no actor and no key.
- The outcome is what the call answers, as status and body:
  \`POST /commands/<id>?bootId=<uuid>\` with \`{ "status": 200, "body": { "ok": true } }\`. The site
  answers 204.
- A call that the plugin does not have: \`{ "status": 422, "body": { "code": "UNSUPPORTED" } }\`.
- A body with a wrong field: \`{ "status": 400, "body": { "code": "INVALID", "field": "text", "reason":
  "is missing" } }\`. The table below lists the other refusals.
- If the answer of the site is lost, or is 503, send the same outcome again, byte for byte, until there
  is another answer. Answer each command once. A late outcome is stored too.
- An outcome has at most ${mebibytes(pluginLimits.outcomeBytes)}. A file is
  \`{ "mime": "image/png", "data": "<base64>" }\` of at most ${mebibytes(pluginLimits.fileBytes)}
  decoded.
`,
  "idempotency-keys": `
A person who gets no answer sends a command again. Its \`key\` says that it is the same command, so that
it happens once.

- Remember the key from the moment when the command reaches the game. While it runs, a command with the
  same key waits for the same outcome.
- Remember an outcome of 2xx for ${rememberedHours} hours, as long as the process lives. A command with
  the same key, call, parameters and body gets the same outcome, and nothing happens in the game.
- A command with the same key and another call, other parameters or another body is 409 \`CONFLICT\`.
- Do not remember a refusal: nothing happened, and a later try may succeed.
`,
  refusals: `
- After each 409 except \`SUPERSEDED\`, the next call is a hello.
- After 401, 403 and \`PROTOCOL\`, make no call of any sort for a minute. Then say hello.
- \`Retry-After\` is a number of seconds. Make the call again after it, and not before.
`,
  away: `
The site may be away for minutes: its host restarts it, or the network is down. The connection is
refused, there is no answer in time, or the answer is 5xx without \`Retry-After\`.

- Give a hello, a call of events and an outcome 15 seconds, and a wait ${waitSeconds + 15} seconds.
- Try again after a random time between 0 and a limit. The limit begins at 1 second, doubles with each
  try, and ends at 60 seconds. After a success it begins anew.
- Meanwhile events wait in the buffer. If the buffer becomes full, tell the gap when the site is back.
- Send the same call again. A hello is not needed, unless the site asks for it with a 409.
`,
} as const satisfies { readonly [Section in GuideSection]?: string };
