import { errorCodes } from "../../shared/platform/errors/error-codes.ts";
import { limits } from "../../shared/platform/limits.ts";
import { statusByErrorKind } from "../http/errors.ts";
import { formatDefaultDuration } from "./defaults.ts";

const kiB = limits.bodyBytes / 1024;

const start = `This is the API of a game community's website: sign-in, live events and state of the
game servers, the market, imports, and tools for staff. Paths start with \`/api/v1\` (left out
below), and bodies are JSON. Times are ISO 8601 in UTC; times from the games are epoch milliseconds.
A serial, the id of an object on the shard, is \`0x\` followed by eight hexadecimal digits. The
**shard** is the linked Ultima Online server. A **survival server** is a linked Rust server. **Game
server** means either of them.

Numbers and durations below are defaults; an operator may change them.`;

const webApp = `## A web app

- **Sign in**: \`POST /auth/login\` sets an httpOnly session cookie. If the response is
  \`{ totpRequired, challenge }\`, send the code of the second factor to \`POST /auth/login/totp\`.
  After the sign-in, \`GET /auth/me\` returns the user, and \`GET /public/shard/features\` returns
  the features that the user may see.
- **Stay signed in**: a session expires ${formatDefaultDuration("SESSION_TTL")} after the sign-in, a session
  of staff after ${formatDefaultDuration("STAFF_SESSION_TTL")}. Using a session does not extend the session.
  After the session has expired, requests are 401 \`not_authenticated\`: sign in again.
- **Cross-site requests**: send requests with \`credentials: "include"\`. Writes from pages of other
  origins are 403 \`cross_site\`, unless the operator allows the origin. Rate-limited operations and
  event streams also refuse reads from pages of other origins, and every request with which a page,
  even a page of the site, loads the URL as an image, script or frame.
- **Confirmation**: operations with \`x-confirms: unless-recent\` require a sign-in that is at most
  ${formatDefaultDuration("REAUTH_AFTER")} old. If the sign-in is older, the response is 403
  \`reauthentication_required\`: send the same request again with \`password\` or \`code\` in its
  body. The confirmation is the same for browsers and for the mobile app.
- **Concurrent changes**: operations with \`x-based-on\` act on an object that other users may
  change at the same time. Send the \`revision\` that you read in the field that the operation names
  (\`basedOn\`, or \`base_revision\` for posts, pages and the wiki). If the object has changed
  since, the response is 409 \`stale_revision\` and contains the current object in \`current\`: show
  it, and let the user decide again. If \`x-based-on\` is \`always\`, the field is required. If
  \`x-based-on\` is \`optional\`, a request without the field acts on the current revision. If
  \`x-based-on\` is \`world-steps\`, the field is required if a step of the event changes the game
  world.`;

const mobileApp = `## A mobile app

- **Sign in**: \`POST /auth/mobile/login\` returns an access token, valid for
  ${formatDefaultDuration("ACCESS_TTL")}, and a refresh token. If the response is 401 \`code_required\`, send
  the same request with \`code\` or \`recoveryCode\`. Send the access token as
  \`Authorization: Bearer …\`.
- **Refresh**: call \`POST /auth/mobile/refresh\` before the access token expires, or after a 401. A
  refresh token is valid for **one** use. If the response is lost, send the same token again within
  ${formatDefaultDuration("REFRESH_GRACE")}: the response contains the same next refresh token, also for
  parallel requests. Store the new pair before you use it, because the old token is refused once the
  next token has been used. An old token that is sent again later than
  ${formatDefaultDuration("REFRESH_GRACE")} after its use counts as stolen, and the device session ends.
- 401 \`refresh_token_overtaken\`: another part of the app has already used the next token. Continue
  with the latest pair. 401 \`invalid_refresh_token\`: sign in again.
- Operations that end the user's other sessions (such as a password change) return a new token pair
  to the app.`;

const chatBot = `## A chat bot

- Without a token, a bot can call the operations under \`/public\` and sees what everyone sees.
  \`GET /public/status\` returns the state of the site, \`GET /public/shard/status\` that of the
  shard.
- To see or do more, send an API token (\`Authorization: Bearer ght_…\`). An administrator creates
  the token with a role and scopes (\`POST /admin/tokens\`). Each operation, even a public one,
  names the scope that it requires of a token (\`x-token-scope\`); if the token lacks the scope, the
  request is 403 \`scope_missing\`. Tokens cannot call operations that concern the caller's own
  account, are only for administrators or have \`x-confirms\`.
- Read \`GET /public/shard/stream\` and \`GET /public/survival/servers/{id}/stream\` instead of
  polling.
- Clients may cache public responses for the time in \`Cache-Control\`.`;

const errors = `## Errors

The body of a refusal is \`{ error }\`, a text for people. If fields are invalid, the body also
contains \`errors: [{ path, message }]\`. For invalid fields, operations under \`/admin/events\`
return only \`errors: [{ path, code, message }]\`, with JSON pointers as paths. The body of a 500 is
\`{ message }\`. Programs use the error code in the header \`X-Error-Code\`, which stays the same
when texts change. With \`Accept: application/problem+json\` the body also contains the error code
(RFC 9457). Handle an unknown error code by the HTTP status. Requests that are not valid HTTP are
refused in the same form on every path (400 \`malformed_request\`, 408, 417, 431); the operations do
not list these responses. When you report a problem, quote the \`X-Request-Id\` of the response.`;

const waiting = `## Paging

Some lists accept \`limit\` and \`offset\`. Others accept \`limit\` and \`before\`: for the next
page, send the \`nextBefore\` of the response as \`before\`. Each operation states the bounds and
defaults. A value out of bounds is 400. \`total\` is the number of matching items on all pages.

## Timeouts and retries

- Use a timeout of 30 seconds for requests that call the shard and of 10 seconds for all others.
- 429 and 503 contain the seconds to wait in \`Retry-After\`. Some operations report the remaining
  requests of a limit in \`RateLimit\`. Retry after 502 and 503. Retry after 500 only if
  the request changes nothing.
- Commands to the shard accept an \`Idempotency-Key\`: after a timeout, retry with the same key.
- A request for an import receives its response when the import has ended, which may take minutes.
  With \`Prefer: respond-async\` the response is immediately 202, with the URL of the job in
  \`Location\`.
- A body is at most ${kiB} KiB of \`application/json\`, nested at most ${limits.jsonDepth} levels
  deep.`;

const streams = `## Streams

\`GET /public/shard/stream\`, \`GET /public/survival/servers/{id}/stream\` and
\`GET /admin/shardlink/stream\` send Server-Sent Events. Each block of the default type contains
one event. The \`kind\` of the event determines the payload; the schema lists all kinds with their
payloads. The block \`hello\` opens a stream. After \`reset\`, fetch the state again, because events
were lost. \`bye\` ends the stream. An EventSource reconnects automatically. A client that does not
reconnect automatically waits for the time in \`retry\`, then reconnects with \`Last-Event-ID\` to
receive the events that it missed. The server sends a comment every 20 seconds: reconnect after 45
seconds of silence. Ignore kinds and blocks that you do not know.`;

const codes = (): string => {
  const lines = Object.entries(errorCodes)
    .map(([code, { kind, meaning }]) => ({ status: statusByErrorKind[kind], code, meaning }))
    .toSorted((one, other) => one.status - other.status)
    .map(({ status, code, meaning }) => `| ${status} | \`${code}\` | ${meaning} |`);
  return ["| status | code | meaning |", "|---|---|---|", ...lines].join("\n");
};

/** The introduction for authors of clients. */
export const buildApiOverview = (): string =>
  [start, webApp, mobileApp, chatBot, errors, codes(), waiting, streams].join("\n\n");
