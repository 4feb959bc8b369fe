import type { Statement } from "./statement.ts";

/** The contract's statements on the service's purpose, route groups and conventions. */
export const service: readonly Statement[] = [
  {
    says: "The service serves a JSON HTTP API to a web application (logged out and logged in), a native mobile app and a chat bot.",
    shownBy: [
      "http/generated-client.test.ts > types generated from the API description",
      "auth/mobile.test.ts > POST /auth/mobile/login",
      "auth/api-tokens.test.ts > an API token > is accepted only in the Authorization header, and from any origin",
    ],
  },
  {
    says: "It provides local password login with optional TOTP two-factor.",
    shownBy: [
      "auth/login.test.ts > POST /auth/login",
      "auth/second-factor.test.ts > POST /auth/login/totp",
    ],
  },
  {
    says: "It provides single sign-on through pluggable identity providers (two built-in providers with fixed endpoints plus a generic OpenID Connect provider).",
    shownBy: [
      "auth/providers.test.ts > GET /admin/auth/providers > lists the built-in providers, disabled until they are set up",
      "auth/providers.test.ts > PUT /admin/auth/providers/:id > sets up a built-in provider, which has a fixed issuer and needs a client id",
      "auth/sso.test.ts > a sign-in at a provider > signs in the linked user, and redirects to the page where the sign-in began",
      "auth/providers.test.ts > Discord > signs in a user by its user endpoint, with PKCE",
    ],
  },
  {
    says: "It provides mobile bearer tokens with refresh rotation.",
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/refresh > answers a new token pair, and the device keeps its id, name and sign-in time",
    ],
  },
  {
    says: "It provides password reset and invitation-based sign-up.",
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/reset/:token",
      "auth/invites.test.ts > POST /auth/invite/:token/accept",
    ],
  },
  {
    says: "It provides self-service management of account, sessions, trusted devices, recovery codes and push notifications.",
    shownBy: [
      "auth/account.test.ts > GET /auth/me/account",
      "auth/mobile.test.ts > /auth/me/sessions",
      "auth/second-factor.test.ts > a trusted device",
      "auth/second-factor.test.ts > /auth/me/recovery-codes",
      "push/devices.test.ts > /auth/me/notifications/subscriptions",
    ],
  },
  {
    says: "It provides public content (posts, wiki, pages, site status).",
    shownBy: [
      "content/posts.test.ts > GET /public/posts",
      "content/wiki.test.ts > the lists of the wiki",
      "content/visibility.test.ts > a page",
      "site/settings.test.ts > PUT /admin/site-mode > answers the new mode, and the status route shows it",
    ],
  },
  {
    says: "It provides a bridge to a game server (the shard) that ingests live events.",
    shownBy: [
      "shard/ingest.test.ts > ingest > stores every event once and in order, and reports the link as connected",
    ],
  },
  {
    says: "The bridge serves status, economy, presence, houses, points boards, a player-vendor marketplace, a ruleset and a spawn atlas.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard",
      "shard/market.test.ts > GET /public/shard/market",
      "imports/atlas.test.ts > the public atlas",
    ],
  },
  {
    says: "The bridge serves admin and moderator tools that act on the shard.",
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/kick",
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban",
    ],
  },
  {
    says: "It provides a survival-game server module (server list, statistics, clans, live map, permissions, NPC profiles, chat titles, zone presets, configuration editing).",
    shownBy: [
      "survival/servers.test.ts > a survival server in public answers",
      "survival/player-pages.test.ts > the page of a player",
      "survival/clan-pages.test.ts > a clan",
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live",
      "survival/permission-routes.test.ts > a permission grant",
      "survival/npcs.test.ts > an NPC profile",
      "survival/title-rules.test.ts > the title rules of a server",
      "survival/zones.test.ts > zone presets",
      "survival/config-editor.test.ts > the configurations of a survival server",
    ],
  },
  {
    says: "It provides an events module (event definitions, versions, series, calendar, runs with live controls, an action switchboard and public event pages).",
    shownBy: [
      "events/authoring.test.ts > POST /admin/events",
      "events/publishing.test.ts > POST /admin/events/:id/publish",
      "events/authoring.test.ts > event series",
      "events/calendar.test.ts > the calendar of events",
      "events/engine.test.ts > a person",
      "events/authoring.test.ts > the settings of event actions",
      "events/announced.test.ts > GET /public/events/:slug",
    ],
  },
  {
    says: "`/public`: no gate. Anonymous by contract (logged-out web app, chat bot, mobile stream client on `/public/shard/stream`).",
    shownBy: [
      "http/manifest.test.ts > the route manifest > has the frozen access checks at the ${set} routes",
      "shard/stream.test.ts > GET /public/shard/stream > shows %s the data that this access level may see, and names the level",
    ],
  },
  {
    says: "`/player`: authentication only (any role) plus a no-index response header. The role `player` is never required; staff are a superset of players.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > has the frozen access checks at the ${set} routes",
      "http/gates.test.ts > a route that requires a session > %s answers 401 without a session",
      "auth/login.test.ts > a session > makes all answers private, also errors, so that search engines and shared caches do not store them",
      "shard/own-reads.test.ts > a list for the caller > contains, for %s under the player path, only the caller's own accounts",
    ],
  },
  {
    says: "`/auth`: no group gate. Each route is gated individually.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > has the frozen access checks at the ${set} routes",
    ],
  },
  {
    says: "`/auth/me*` requires authentication and carries the no-index header.",
    shownBy: [
      "http/gates.test.ts > a route that requires a session > %s answers 401 without a session",
      "auth/login.test.ts > a session > makes all answers private, also errors, so that search engines and shared caches do not store them",
    ],
  },
  {
    says: "`/admin`: staff. Each route names its role (`admin`, `moderator`, `editor`, or a combination).",
    deviation:
      "Seven routes under `/admin/shard` are open to every signed-in caller, for the caller's own accounts.",
    reason:
      "The endpoint table prints `Auth` or `self` for these seven, which is more specific than the group table.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > has the frozen access checks at the ${set} routes",
      "http/gates.test.ts > a route that requires a role > %s answers 403 to every other role",
      "http/gates.test.ts > a route for administrators and other roles > %s accepts the role %s",
      "shard/own-reads.test.ts > the reads of game accounts under %s > give %s the data of account %s only if permitted (permitted: %s)",
    ],
  },
  {
    says: "The public route manifest holds 200 routes plus 2 internal routes.",
    deviation:
      "Beyond the 200 routes of the manifest, an additive set of routes is served under the same prefix, with a frozen manifest of its own.",
    reason:
      "The contract says of many areas that their paths are not shown; routes that it does not print are kept apart from those that it counts.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
      "http/manifest.test.ts > the route manifest > has as many routes and operations as the contract states",
      "http/manifest.test.ts > the route manifest > serves exactly the internal routes of the frozen list",
    ],
  },
  {
    says: "The OpenAPI description holds 198 operations.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > has as many routes and operations as the contract states",
      "http/openapi.test.ts > the ${set} API description > has one operation for each documented route",
    ],
  },
  {
    says: "Internal routes run on a separate listener and are outside this interface.",
    shownBy: [
      "ops/internal-server.test.ts > the internal listener",
      "http/manifest.test.ts > the route manifest > serves exactly the internal routes of the frozen list",
    ],
  },
  {
    says: "Interactive API docs are served at `GET /api/docs` and the raw OpenAPI 3.0 description at `GET /api/docs.json`.",
    routes: ["GET /api/docs", "GET /api/docs.json"],
    shownBy: [
      "http/conventions.test.ts > the API description > is served as a page that loads only its own scripts",
      "http/conventions.test.ts > the API description > is served as JSON, once for the core routes and once for the additive routes",
      "http/openapi.test.ts > the ${set} API description > is valid OpenAPI 3.0",
    ],
  },
  {
    says: "When the description file is missing, the docs are disabled and the service still starts.",
    shownBy: ["http/missing-description.test.ts > a service without its API description"],
  },
  {
    says: "A web-root file `GET /.well-known/assetlinks.json` serves the mobile app-link verification statement.",
    routes: ["GET /.well-known/assetlinks.json"],
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > accepts the site's own https link only while app links are enabled, and assetlinks.json then lists the app",
    ],
  },
  {
    says: "Bodies are JSON, and paths start with `/api/v1` unless stated.",
    shownBy: [
      "http/conventions.test.ts > a request body > is answered 415 if it is of another media type",
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
    ],
  },
  {
    says: "`date-time` means an ISO 8601 string. `epoch ms` means an integer count of milliseconds.",
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/audit > shows an administrator all fields of the events, newest first",
      "shard/public-reads.test.ts > the public reads of a connected shard > show the state of the shard",
      "http/openapi.test.ts > the ${set} API description > has an example that its schema accepts for every JSON request and response",
    ],
  },
  {
    says: "A serial is a string in hexadecimal with a `0x` prefix.",
    shownBy: [
      "shard/values.test.ts > parseSerial > normalizes %s to %s",
      "shard/own-reads.test.ts > the reads of game accounts under %s > accept a serial in any spelling",
    ],
  },
  {
    says: "Roles: `admin`, `editor`, `moderator`, `player`.",
    shownBy: [
      "auth/invites.test.ts > POST /admin/invites > rejects an invalid role or e-mail address",
      "http/gates.test.ts > a route that requires a role > %s answers 403 to every other role",
    ],
  },
  {
    says: "ValidationError component: used for 400 on shard account creation.",
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > refuses the %s %j as the game does",
    ],
  },
];
