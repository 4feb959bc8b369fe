import type { GuideSection } from "../../../shared/bridge/guide-sections.ts";
import { pluginLimits } from "../../../shared/plugin/plugin-limits.ts";

const { events, waitSeconds, silentSeconds, callsAtOnce, callsPerSecond } = pluginLimits;
const { commands, rememberedHours } = pluginLimits;
const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

/** The guide for people who write a plugin, section by section, in Markdown. */
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
  buffer: `
The plugin keeps its events in a buffer. Three values identify an event and its origin.

- \`seq\` is the sequence number of an event. Each event receives the next number when it happens.
  Never use a number twice in an epoch. The first event of an epoch may have any number; 1 is usual.
- \`epoch\` is a UUID that identifies the buffer. Each time that the plugin begins with a new
  buffer, create a new \`epoch\`; \`seq\` then begins again. If a file keeps the buffer, \`epoch\`
  and \`seq\`, the epoch continues after a restart. Otherwise, each start of the plugin begins a new
  epoch.
- \`bootId\` is the UUID of the game process.

Keep each event until an answer confirms that the site has stored it. Keep at most 20,000 events and
at most 16 MiB. If the buffer is full, delete the oldest event, and report the deleted events as a
[gap](#gaps). Never block the game because the buffer is full.

In \`POST /hello\`, \`oldest\` and \`head\` are the lowest and the highest \`seq\` in the buffer. If
the buffer is empty, \`head\` is the last \`seq\` that the plugin has used in this epoch (0 if
none), and \`oldest\` is \`head\` + 1. If a file keeps the buffer, it can contain events of an
earlier game process: send the \`bootId\` of that process as the field \`bootId\` of each such
event.
`,
  events: `
Call \`POST /events\` as soon as the buffer contains an event that the site has not stored and no
other \`POST /events\` is in progress. You need no timer: while one call is in progress, the next
events collect in the buffer.

- Only one \`POST /events\` may be in progress at a time. It contains at most ${events} events,
  oldest first, and at most ${mebibytes(pluginLimits.bytes)}.
- An event has the fields \`seq\`, \`kind\`, \`t\` and \`payload\`, and may have \`eventKey\`,
  \`bootId\` and \`saveId\`. \`seq\` is an integer of 0 or more. \`t\` is the time of the event in
  epoch milliseconds, by the game server's clock. \`payload\` is an object with the fields that the
  kind declares.
- \`seq\` increases by one from event to event, within a call and from call to call.
- The answer \`{ "seq": 42 }\` contains the highest \`seq\` that the site has stored durably. Delete
  the events up to this \`seq\` and continue with the next one, even if the call contained more
  events.
- If no answer arrives, or if the status is 503, send the same events again, unchanged. The site
  skips events that it has already stored.
- The site stores the events in the order of \`seq\`. The values of \`t\` may be in any order.
- If an event breaks a rule of its kind, the site does not store this event, but counts its \`seq\`
  as stored. Do not send the event again. Administrators see the event with the reason.
- If the site does not know the kind of an event, it stores the event and shows it only to
  administrators; moderators see such events of survival servers too.

The reference describes the [fields of the call](#plugin-post-events) and the payload of each kind
([shard](#uo-kinds), [survival server](#rust-kinds)).
`,
  "event-keys": `
\`eventKey\` is an optional text that identifies what happened. If the site receives several events
with the same \`eventKey\`, it stores only the first one, even if a new buffer sends the event with
another \`epoch\` and \`seq\`. Use \`eventKey\` for events that the plugin can find again after a
restart, such as sales that the game keeps in a log.

- Compose the key of facts of the game, with at most 256 characters:
  \`sold:0x00012F3A:0x400A91C2:1764200000000\`, \`join:76561198000000001:1764197480000\`,
  \`death:76561198000000001:1764200000000\`.
- Never use the same key for two different events. When a game crashes, it continues from its last
  save, and can then create accounts and serials again with other facts. Therefore, if something can
  happen more than once, include its time or the \`bootId\` in the key.
- Events that report a state need no key.
`,
  gaps: `
If the plugin no longer has an event that the site has not stored, report the range of missing
events as a gap. There are three causes: the buffer was full, a file was damaged, or the site was
restored from a backup and asks for events that the plugin has already deleted.

\`\`\`json
{
  "epoch": "0b0a4e6c-5f0e-4a55-8f3f-0d9d7f6f3a11",
  "bootId": "5a7d2b1e-93a7-4d0c-a2d5-3d7f7a1f5d20",
  "gap": { "from": 42, "to": 97, "reason": "buffer full" },
  "events": [
    { "seq": 98, "kind": "server.heartbeat", "t": 1767225600000, "payload": { "online": 3 } }
  ]
}
\`\`\`

- \`from\` is the \`seq\` after the last stored event. The first event of the call has the \`seq\`
  \`to\` + 1. \`reason\` is a text for administrators. A call contains at most one gap, and
  \`events\` may be empty.
- After a gap, the site asks for the [states](#states) with the command \`POST /v1/resync\`.
`,
  states: `
An **event** reports what happened. A **state** reports how something is now, and replaces what the
site has stored about it. The plugin sends both with \`POST /events\`. The reference states for each
kind whether it is an event or a state. The site compares each state with the stored one: if nothing
changed, it sends clients no news. Therefore, the plugin may send a state again at any time.

Send a state when it changes. After a gap, with a new epoch, and after a restart of the game, the
stored states may be outdated. The site then asks for them by *family*: a set of states that belong
together, such as all houses of a shard. The tables below list the families with their kinds. The
site names the families in the field \`resync\` of the answer to \`POST /hello\`, or in the body of
the command \`POST /v1/resync\`. Answer this command before you send the states, with the status 202
and the body \`{}\`. Send all states of each listed family, as events:

- A **shard** sends one snapshot for each family. A snapshot consists of the event
  \`<family>.snapshot.begin\` with the number of pages and rows, one event
  \`<family>.snapshot.page\` for each page, numbered from 1, and the event
  \`<family>.snapshot.end\`. All of them have the same \`snapshotId\`. The site asks again until it
  has received a complete snapshot of the family.
  - Each row is a payload of the kind that replaces a single object of the family, such as
    \`house.upsert\`.
  - Put about 100 rows on a page, because an event has at most 256 KiB. If the family has no rows,
    send a begin with 0 pages and 0 rows, and an end.
  - If a single object changes between the begin and the end, send its event as usual: it takes
    precedence over the rows of the snapshot.
  - At the end, the site deletes the stored objects that the snapshot does not contain. If pages or
    rows are missing then, the site discards the snapshot. It also discards a snapshot if the next
    begin of the same family arrives before the end.
- A **survival server** sends the kinds of the family. Each of them replaces what the site has
  stored. The site asks only once.

In addition, a shard sends the states \`world.ruleset\` and \`presence.online\` after each start,
without a request.
`,
  payloads: `
- If the reference marks a field as not required, the field may be null or absent. Both mean the
  same.
- A payload may contain fields that its kind does not declare. The site may store these fields, but
  never shows them to the public.
- If a value has the wrong type, if a number is out of its range, or if a text is too long, the site
  does not store the event. There are two exceptions. If the description of a field says how much
  the site keeps, the site cuts a longer value. In a kind of a survival server, if only rows of a
  list have invalid values, and the list is a field of the payload itself, the site leaves out these
  rows and accepts the rest.
- The site removes markup and invisible characters from texts for people. It replaces NUL with
  U+FFFD.
- A serial of a shard is \`0x\` with eight hexadecimal digits, such as \`0x40001A2B\`.
- Send a 64-bit number, such as a Steam id, as a text of digits. The site also accepts an integer.
- A payload has at most 32 levels of nested objects and lists.
- The name of a kind has 1 to 64 characters: lower-case letters, digits, \`.\`, \`_\` and \`-\`. The
  first character is a letter.
`,
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
- The body of an outcome has at most ${mebibytes(pluginLimits.outcomeBytes)}. A file in it is
  \`{ "mime": "image/png", "data": "<base64>" }\`, with at most ${mebibytes(pluginLimits.fileBytes)}
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
