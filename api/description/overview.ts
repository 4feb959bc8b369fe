import { errorCodes } from "../../shared/error-codes.ts";
import { limits } from "../../shared/limits.ts";
import { statusOf } from "../http/errors.ts";
import { defaultTime } from "./defaults.ts";

const kiB = limits.bodyBytes / 1024;

const start = `The backend of a game community's website: sign-in, live events and state of the game
servers, the market, imports, and tools for staff. Paths start with \`/api/v1\` (left out below) and
bodies are JSON. Times are ISO 8601 in UTC; times from the games are epoch milliseconds. A serial is
\`0x\` and eight hexadecimal digits. The **shard** is the linked game server of Ultima Online, a
**survival server** one of Rust; **game server** means either.

Numbers and durations below are defaults; an operator may change them.`;

const webApp = `## A web app

- **Sign in**: \`POST /auth/login\` sets an httpOnly session cookie. If it returns
  \`{ totpRequired, challenge }\`, send the code to \`POST /auth/login/totp\`. Then \`GET /auth/me\`
  returns the user, and \`GET /public/shard/features\` what the user may see.
- **Stay signed in**: a session lasts ${defaultTime("SESSION_TTL")} from its sign-in, that of staff
  ${defaultTime("STAFF_SESSION_TTL")}; use does not extend it. Then requests are 401
  \`not_authenticated\`: sign in again.
- **Cross-site requests**: send requests with \`credentials: "include"\`. Writes from pages of other
  origins are 403 \`cross_site\`, unless the operator allows the origin. Rate-limited operations and
  event streams also refuse reads from such pages, and loads as an image, script or frame of any
  page.
- **Confirmation**: operations with \`x-confirms: unless-recent\` require a sign-in that is at most
  ${defaultTime("REAUTH_AFTER")} old. If it is older they are 403 \`reauthentication_required\`:
  send the same request with \`password\` or \`code\` in its body, in a browser and in the app
  alike.
- **Concurrent changes**: operations with \`x-based-on\` change an object that others may change,
  too. Send the \`revision\` that you read in the field that the operation names (\`basedOn\`;
  \`base_revision\` for posts, pages and the wiki). If the object has changed since, the response is
  409 \`stale_revision\` with the object as it is now in \`current\`: show it, and let the user
  decide again. \`always\`: the field is required. \`optional\`: without it the operation acts on
  the current revision. \`world-steps\`: it is required if a step of the event changes the game
  world.`;

const mobileApp = `## A mobile app

- **Sign in**: \`POST /auth/mobile/login\` returns an access token, valid for
  ${defaultTime("ACCESS_TTL")}, and a refresh token. If it is 401 \`code_required\`, send the same
  request with \`code\` or \`recoveryCode\`. Send the access token as \`Authorization: Bearer …\`.
- **Refresh**: call \`POST /auth/mobile/refresh\` before the access token expires, or after a 401. A
  refresh token is valid for **one** use. If the response is lost, send the same token again within
  ${defaultTime("REFRESH_GRACE")}: it returns the same next refresh token, also to parallel
  requests. Store the new pair before you use it: once the next token is used, the old one is
  refused. Sent again later, the old token counts as stolen and ends the device session.
- 401 \`refresh_token_overtaken\`: another part of the app has used the next token already; continue
  with the latest pair. 401 \`invalid_refresh_token\`: sign in again.
- Responses of operations that reissue the session (such as a password change) contain a new pair.`;

const chatBot = `## A chat bot

- Without a token it reads \`/public\` and sees what everyone sees. \`GET /public/status\` returns
  the state of the site, \`GET /public/shard/status\` that of the shard.
- To see or do more it sends an API token (\`Authorization: Bearer ght_…\`), which an administrator
  creates with a role and scopes at \`POST /admin/tokens\`. Each operation names the scope that it
  requires (\`x-token-scope\`), public ones too; without it the request is 403 \`scope_missing\`.
  Operations on the caller's own account, for administrators or with \`x-confirms\` accept no token.
- It follows \`GET /public/shard/stream\` instead of polling.
- Public responses may be cached for the time in \`Cache-Control\`.`;

const errors = `## Errors

The body of a refusal is \`{ error }\`, a text for people, with \`errors: [{ path, message }]\` if
fields are wrong. Operations of events return \`errors: [{ path, code, message }]\` alone, with JSON
pointers; 500 is \`{ message }\`. Programs read the code in \`X-Error-Code\`: it stays the same when
texts change. With \`Accept: application/problem+json\` the body has it, too (RFC 9457). Handle an
unknown code by its status. Requests that are not valid HTTP are refused in the same form on any
path (400 \`malformed_request\`, 408, 417, 431), so operations do not list these. Quote
\`X-Request-Id\` when you report a fault.`;

const waiting = `## Paging

Lists accept \`limit\` and \`offset\`, or \`before\` with \`nextBefore\` of the last response; each
operation states bounds and defaults. A value out of bounds is 400. \`total\` counts the matches on
all pages.

## Timeouts and retries

- Use a timeout of 30 seconds for requests that call the shard, of 10 for all others.
- 429 and 503 give the seconds to wait in \`Retry-After\`; some operations report what is left of a
  limit in \`RateLimit\`. Retry 502 and 503, and 500 if the request changes nothing.
- Commands to the shard accept an \`Idempotency-Key\`: after a timeout, retry with the same key.
- Imports respond when they are done, which may take minutes. With \`Prefer: respond-async\` they
  respond 202 at once, with the URL of the job in \`Location\`.
- A body is at most ${kiB} KiB of \`application/json\`, nested at most ${limits.jsonDepth} levels
  deep.`;

const streams = `## Streams

\`GET /public/shard/stream\` and \`GET /admin/shardlink/stream\` are Server-Sent Events. Blocks of
the default type carry an event; \`kind\` says which, and the schema lists each kind with its
payload. \`hello\` opens a stream; \`reset\` says that events are lost, so fetch the state again;
\`bye\` ends the stream. An EventSource reconnects by itself. Other clients wait for \`retry\`, then
reconnect with \`Last-Event-ID\` to receive the events that they missed. The server sends a comment
every 20 seconds: reconnect after 45 seconds of silence. Ignore kinds and blocks that you do not
know.`;

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
