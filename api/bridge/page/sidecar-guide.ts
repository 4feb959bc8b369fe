import type { GuideSection } from "../../../shared/bridge/guide-sections.ts";

/** What people who write a sidecar read, section by section, in Markdown. */
export const sidecarGuide = {
  socket: `
A sidecar listens at two addresses that an administrator saves on the site: \`wsUrl\` (\`ws\` or \`wss\`)
for the socket, and \`baseUrl\` (\`http\` or \`https\`) for the [calls](#sidecar-calls). Both are opened
with the same token: \`Authorization: Bearer <token>\`.

The site opens \`wsUrl\` with the query \`protocol=8\` for a shard or \`protocol=13\` for a survival
server. Once it has stored an event, the query also has \`epoch\` and \`after\`: the \`seq\` of the newest
stored event. Refuse a connection before the upgrade:

| status | body                                              | when                              |
| ------ | ------------------------------------------------- | --------------------------------- |
| 401    |                                                   | the token is wrong                |
| 409    | \`{ "code": "PROTOCOL", "server": 8, "client": 7 }\` | the protocol is another one       |
| 423    | \`{ "code": "LOCKED" }\`                            | another client holds the stream   |

- Send \`hello\`, then the gaps, the buffered events after \`after\`, \`live\`, and then new events. If
  \`epoch\` of the query is not yours, send the whole buffer and no gap.
- \`seq\` rises by one within an epoch and goes on when the game restarts. If it skips numbers that no
  \`gap\` names, the site closes the connection and connects again.
- Keep acknowledged events for seven days or 200,000 events.
- Frames are JSON texts of at most 256 KiB, not compressed. The site counts and skips a frame that
  breaks a rule.
- Answer pings. The site sends one every 15 seconds and closes the connection after 45 seconds without
  a frame. It connects again after 1 second and doubles the time up to 60 seconds; after 401 and 409 it
  waits 60 seconds.
- One client has the stream at a time.
`,
  frames: `
Each frame is a JSON object with a \`type\`. The site passes over types that it does not know.
`,
  "sidecar-calls": `
The site calls \`{baseUrl}/v1/…\` with JSON. The references list all calls
([shard](#uo-calls), [survival server](#rust-calls)); \`:name\` in a path is filled in.

| header              | of               | holds                                                            |
| ------------------- | ---------------- | ---------------------------------------------------------------- |
| \`Authorization\`     | every call       | \`Bearer <token>\`; a wrong token is 401                           |
| \`X-Bridge-Protocol\` | every call       | version of the protocol; another one is 409 \`PROTOCOL\`           |
| \`X-Request-Id\`      | every call       | id of the request, for logs                                      |
| \`Idempotency-Key\`   | commands         | see [Idempotency keys](#idempotency-keys); keep them on disk     |
| \`X-Bridge-Actor\`    | commands         | who acts: base64url of the JSON \`{ userId, username, role }\`     |

The site waits 5 seconds for a connection, follows no redirects, takes answers of at most 32 MiB, and
never repeats a command by itself. While the game process is away, answer 503 \`SHARD_DOWN\`. An outcome
that comes after the caller gave up is remembered under its key.
`,
  sources: `
Imports of texts, pictures and the atlas read a source page by page. The site reads the manifest, then
the pages from \`cursor\` to \`cursor\` until \`next\` is null, then the manifest again.

- A cursor is any text. The same cursor gives the same page.
- While files are being read, \`hashing\` is true, and the import tries again later.
- The hash of the manifest is on each page. If it changes between two pages, the import begins anew.
- The number of rows is what the manifest says. Nothing is applied unless the whole source was read.
- The site asks for 500 rows a page. A page has at most 5,000.
`,
} as const satisfies { readonly [Section in GuideSection]?: string };
