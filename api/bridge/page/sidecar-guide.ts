import type { GuideSection } from "../../../shared/platform/bridge/guide-sections.ts";

/** The guide's sections for authors of sidecars, in Markdown. */
export const sidecarGuide = {
  socket: `
An administrator of the site saves two URLs and a token for a sidecar: \`wsUrl\` (\`ws\` or \`wss\`)
for the WebSocket, \`baseUrl\` (\`http\` or \`https\`) for the [calls](#sidecar-calls), and the
token for both. The site sends the token in the header \`Authorization: Bearer <token>\`.

The site opens \`wsUrl\` with the query parameter \`protocol\`: the protocol version that the
administrator saved, which is 7 or 8 for a shard and 13 for a survival server. If the site has
stored an event of the sidecar, the query also contains the position of the newest stored event:
\`epoch\` and \`after\`, which is the event's \`seq\`. Refuse the connection before the upgrade in
these cases:

| status | body                                               | case                          |
| ------ | -------------------------------------------------- | ----------------------------- |
| 401    | none                                               | the token is wrong            |
| 409    | \`{ "code": "PROTOCOL", "server": 8, "client": 7 }\` | the versions differ           |
| 423    | \`{ "code": "LOCKED" }\`                             | another client is connected   |

In the body of 409, \`server\` is the version of the sidecar, and \`client\` is the version in the
query.

- Within 15 seconds after the connection is open, send the frame \`hello\`.
- After \`hello\`, send one \`gap\` for each range of events after \`after\` that the buffer no
  longer contains, then the buffered events whose \`seq\` is higher than \`after\`, then the frame
  \`live\`, and then each new event as it happens.
- If the query has no \`epoch\`, or if its \`epoch\` is not the epoch of your buffer, send the whole
  buffer and no gap.
- \`seq\` increases by one from event to event within an epoch, and continues when the game
  restarts. If \`seq\` skips numbers that no \`gap\` contains, the site closes the connection and
  connects again.
- With the frame \`ack\`, the site acknowledges the events that it has stored. Keep each
  acknowledged event for seven days, because a site that was restored from a backup asks for it
  again. You may delete an acknowledged event earlier if the buffer contains more than 200,000
  events.
- Send each frame as an uncompressed JSON text of at most 256 KiB. If a frame breaks a rule, the
  site skips it and counts it as rejected. If a frame is larger than 1 MiB, the site closes the
  connection.
- Answer each ping. The site sends a ping every 15 seconds. If it has received no frame, ping or
  pong for 45 seconds, it closes the connection.
- After a lost connection, the site waits for a random time of up to 1 second before it connects
  again. The limit doubles with each failed attempt, up to 60 seconds. After 401 or 409, the site
  waits for 60 seconds.
- Let only one client be connected at a time. Refuse each further client with 423.
`,
  frames: `
Each frame is a JSON object whose field \`type\` names its type. The site ignores frames of types
that it does not know.
`,
  "sidecar-calls": `
The site makes HTTP calls with JSON to \`{baseUrl}/v1/…\`. The reference describes all calls
([shard](#uo-calls), [survival server](#rust-calls)). In a path, the site replaces \`:name\` by the
value of the parameter. A call is either a **write**, which changes something in the game, or a
**read**, which changes nothing.

| header              | calls  | value                                               |
| ------------------- | ------ | --------------------------------------------------- |
| \`Authorization\`     | all    | \`Bearer <token>\`                                    |
| \`X-Bridge-Protocol\` | all    | the protocol version                                |
| \`X-Request-Id\`      | all    | id of the request, for logs                         |
| \`Idempotency-Key\`   | writes | [idempotency key](#idempotency-keys) of the write   |
| \`X-Bridge-Actor\`    | writes | the user who makes the call: a JSON text, base64url |

- If the token is wrong, answer 401. If you do not support the protocol version, answer 409
  \`PROTOCOL\`.
- The JSON text in \`X-Bridge-Actor\` is an object such as
  \`{ "userId": 42, "username": "robin", "role": "admin" }\`. \`userId\` is null if the site itself
  makes the call.
- The site waits 5 seconds for a connection, and for the answer as long as the reference states for
  the call. An answer has at most 32 MiB. The site does not follow redirects.
- The site never repeats a write automatically. If it sends a read over a kept connection that turns
  out to be closed, it sends the read once more.
- While the game process is not running, answer each call except \`GET /v1/health\` with 503
  \`SHARD_DOWN\`.
- A refusal with 429 or 503 may have the header \`Retry-After\`: the number of seconds after which
  the site may try again. Without this header, the site assumes 10 seconds.
- If the outcome of a write is known only after the site has stopped waiting, store it with its
  idempotency key nevertheless.
`,
  sources: `
A source is a set of files of the game that the site imports: texts (clilocs), pictures, or the
atlas of regions and spawners. For each source, there is a call that returns its manifest, and a
call that returns one page of its rows. The site reads the manifest, then all pages, and then the
manifest again. It requests the first page without \`cursor\`, and each further page with \`cursor\`
set to \`next\` of the previous page. On the last page, \`next\` is null.

- A cursor is a text of your choice. The same cursor always returns the same page.
- While you read the files, return a manifest with \`hashing\` true. The import then ends with the
  code \`BUSY\` and changes nothing; an administrator can start it again.
- The manifest and each page contain the same hash: \`catalog\` for pictures, \`sha256\` otherwise.
  If the hash changes between two answers, the import ends with the code \`SOURCE_CHANGED\` and
  changes nothing.
- The pages together must contain as many rows as the manifest states. Otherwise, the import ends
  with the code \`INCOMPLETE\` and changes nothing.
- The site requests 500 rows per page with \`limit\`. A page may have fewer rows, or up to 5,000.
`,
} as const satisfies { readonly [Section in GuideSection]?: string };
