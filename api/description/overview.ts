import { errorCodes } from "../../shared/error-codes.ts";
import { limits } from "../../shared/limits.ts";
import { statusOf } from "../http/errors.ts";
import { defaultTime } from "./defaults.ts";

const kiB = limits.bodyBytes / 1024;

const start = `The backend of a game community's website: sign-in, live events and state of the shard, the
market, imports, and tools of staff. Everything is JSON under \`/api/v1\`. Times are ISO 8601 in UTC, and
epoch milliseconds where they come from the game. A serial is \`0x\` and eight hexadecimal digits.

Numbers and times below are the defaults; an installation may set others.`;

const webApp = `## A web app

- **Signing in**: \`POST /auth/login\` sets a cookie that no script can read. Where the answer is
  \`{ totpRequired, challenge }\`, send the code to \`POST /auth/login/totp\`. Then
  \`GET /auth/me\` says who it is, and \`GET /public/shard/features\` what to show.
- **Keeping signed in**: nothing to do. A session lives for ${defaultTime("SESSION_TTL")} from its
  sign-in, that of staff for ${defaultTime("STAFF_SESSION_TTL")}; after it comes 401
  \`not_authenticated\`: sign in again.
- Requests go with \`credentials: "include"\`. Writes of pages of other origins are refused
  (\`cross_site\`) but for those that the installation allows. Routes with a limit and event
  streams refuse every request of such a page, and loads as an image, script or frame of any page.
- Operations with \`x-confirms: unless-recent\` ask for the password or a code once the sign-in is older
  than ${defaultTime("REAUTH_AFTER")} (\`reauthentication_required\`): send the same request with
  \`password\` or \`code\` in its body, in a browser and in the app alike. No API token opens them.
- Operations with \`x-based-on\` act on a stored thing that another may change meanwhile. Send the
  \`revision\` that was read, in the field that the operation names (\`basedOn\`; \`base_revision\` of
  posts, pages and the wiki). 409 \`stale_revision\` carries the thing as it is now in \`current\`: show it,
  and let the person decide again. \`always\`: the field is required. \`world-steps\`: it is required where
  a step of the event changes the world of a game.`;

const mobileApp = `## A mobile app

- **Signing in**: \`POST /auth/mobile/login\` answers an access token for
  ${defaultTime("ACCESS_TTL")} and a refresh token. With \`code_required\` send the same again with
  \`code\` or \`recoveryCode\`. Requests carry \`Authorization: Bearer …\`.
- **Refreshing**: \`POST /auth/mobile/refresh\` before the access token ends, or at 401. A refresh token
  is good **once**. If the answer is lost, send the same token again within
  ${defaultTime("REFRESH_GRACE")}: the answer holds the same successor, also for several requests at
  once. Keep the new pair before it is used: after its first use the old token is refused. Sent again
  later, the old token ends the device's session.
- \`refresh_token_overtaken\` means that another part of the app has used the successor already: go on
  with the latest pair. \`invalid_refresh_token\` means to sign in.
- Answers that issue the session anew (another password, signing out elsewhere) hold a new pair.`;

const chatBot = `## A chat bot

- It reads \`/public\` without signing in, and sees what everyone sees. \`GET /public/status\` says how the
  site stands, \`GET /public/shard/status\` how the shard does.
- To see or do more it has a token, which an administrator makes at \`POST /admin/tokens\` with a role
  and scopes: \`Authorization: Bearer ght_…\`. Each operation names the scope that opens it to a token
  (\`x-token-scope\`), public ones too; without it comes \`scope_missing\`. What is one's own and what is
  for administrators alone no token opens.
- It follows \`GET /public/shard/stream\` rather than asking every few seconds.
- Public answers may be kept for the seconds that \`Cache-Control\` says.`;

const errors = `## Errors

A refusal is \`{ error }\` in words for people, \`errors: [{ path, message }]\` beside it where fields are
wrong; routes of events answer \`errors: [{ path, code, message }]\` alone, with JSON pointers. 500 alone is \`{ message }\`. Programs read \`X-Error-Code\`, which stays when words change; with
\`Accept: application/problem+json\` it stands in the body too (RFC 9457). An unknown code is to be taken by
its status. What cannot be read as HTTP (400 \`malformed_request\`, 408, 417, 431) is refused in the same form
on any path, so no operation lists it. Quote \`X-Request-Id\` when you report a fault.`;

const waiting = `## Paging

Lists take \`limit\` and \`offset\`, or \`before\` with the answer's \`nextBefore\`; bounds and defaults
stand at each. What is out of bounds is 400. \`total\` counts all that match, whatever the page.

## Time-outs and repeats

- Allow 30 seconds for what asks the shard, 10 for the rest.
- 429 and 503 name the seconds to wait in \`Retry-After\`; a limit that is told beforehand stands in
  \`RateLimit\`. 502 and 503 may be tried again, 500 too where nothing is changed.
- Acts on the shard take an \`Idempotency-Key\`: after a time-out send the same under the same key.
- Imports answer when they are done, which may take minutes. \`Prefer: respond-async\` answers 202 with
  \`Location\`, the job, at once.
- A body holds up to ${kiB} KiB of \`application/json\`, nested ${limits.jsonDepth} deep.`;

const streams = `## Streams

\`GET /public/shard/stream\` and \`GET /admin/shardlink/stream\` are Server-Sent Events. Blocks of the default
type carry an event, told apart by \`kind\`; their schema lists each kind with its payload. \`hello\` opens
a stream, \`reset\` says that missed events are lost and state is to be read anew, \`bye\` ends it. A
browser's EventSource comes back by itself; other clients wait the \`retry\`, then send \`Last-Event-ID\` to
be sent what they missed. A comment comes every 20 seconds: after 45 quiet ones connect again. Pass over
kinds and blocks you do not know.`;

const codes = (): string => {
  const lines = Object.entries(errorCodes)
    .map(([code, { kind, meaning }]) => ({ status: statusOf[kind], code, meaning }))
    .toSorted((one, other) => one.status - other.status)
    .map(({ status, code, meaning }) => `| ${status} | \`${code}\` | ${meaning} |`);
  return ["| status | code | meaning |", "|---|---|---|", ...lines].join("\n");
};

/** What people who build clients read first. */
export const overview = (): string =>
  [start, webApp, mobileApp, chatBot, errors, codes(), waiting, streams].join("\n\n");
