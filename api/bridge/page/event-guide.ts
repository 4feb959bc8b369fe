import type { GuideSection } from "../../../shared/platform/bridge/guide-sections.ts";
import { pluginLimits } from "../../../shared/platform/plugin/plugin-limits.ts";

const { bytes, events } = pluginLimits;

export const formatMebibytes = (size: number): string => `${size / 1024 / 1024} MiB`;

/** The guide's sections about events and states, in Markdown. */
export const eventGuide = {
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
  oldest first, and at most ${formatMebibytes(bytes)}.
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
} as const satisfies { readonly [Section in GuideSection]?: string };
