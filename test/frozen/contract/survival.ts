import type { Statement } from "./statement.ts";

/** The contract's statements on endpoints of survival servers. */
export const survival: readonly Statement[] = [
  {
    says: "The module mounts on all three tiers under the segment `survival`: `/public/survival`, `/player/survival`, `/admin/survival`.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
      "survival/leaks.test.ts > the public and player routes of survival servers > include every route of survival servers that is not a staff route",
    ],
  },
  {
    says: "public `GET /servers/:id`: one server; 404 for an unknown id.",
    routes: ["GET /public/survival/servers/:id"],
    shownBy: [
      "survival/servers.test.ts > a survival server in public answers > shows its state, and names the page tabs with data for the caller",
      "survival/servers.test.ts > a survival server in public answers > is shown if it is listed, and answers 404 if it is not",
    ],
  },
  {
    says: "public `GET /servers/:id/map`, `/map/image`, `/map/live`: map layers (world, events public; players, bases staff).",
    routes: [
      "GET /public/survival/servers/:id/map",
      "GET /public/survival/servers/:id/map/image",
      "GET /public/survival/servers/:id/map/live",
    ],
    shownBy: [
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live > shows players and bases to staff only, and events to everyone, in every process",
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live > cannot be configured to show players and bases to %s",
      "survival/map-image.test.ts > GET /public/survival/servers/:id/map > shows the image, the grid and the monuments of the current world",
    ],
  },
  {
    says: "The map image is served immutable under its hash.",
    shownBy: [
      "survival/map-image.test.ts > GET /public/survival/servers/:id/map/image > answers the bytes for their hash, which may be cached forever",
    ],
  },
  {
    says: "Live positions are held in memory only.",
    shownBy: [
      "survival/map-live.test.ts > the positions of players > are written to no table, not even from refused frames",
    ],
  },
  {
    says: "public `GET /servers/:id/clans`, `GET /clans/:externalId`: clan list is public; roster audience configurable.",
    routes: ["GET /public/survival/servers/:id/clans", "GET /public/survival/clans/:externalId"],
    shownBy: [
      "survival/clan-pages.test.ts > the clan board of a server > lists all clans in board order, or a page of them",
      "survival/clan-pages.test.ts > a clan > hides its members from users without a linked Steam account",
      "survival/clan-pages.test.ts > a clan > shows its members to players, and its message only to its members and staff",
    ],
  },
  {
    says: "public profile ranking routes: ranking by NPC profile and one player's kills by profile.",
    routes: [
      "GET /public/survival/profiles",
      "GET /public/survival/profiles/:key/ranking",
      "GET /public/survival/players/:steamId/profiles",
    ],
    shownBy: [
      "survival/rankings.test.ts > the ranking by killed NPCs > counts each death once for its killer, and for nobody if no killer is named",
      "survival/rankings.test.ts > the NPC kills of one player > are listed by profile, with the rank of the player",
    ],
  },
  {
    says: "player `GET /player/survival/permissions`: self-scoped; each entry carries the servers it reaches, already resolved; `live` reflects the pushed ledger.",
    routes: ["GET /player/survival/permissions"],
    shownBy: [
      "survival/permissions.test.ts > the effective permissions of a player > name every source of a permission, and whether the permission is live",
      "survival/permissions.test.ts > the effective permissions of a player > are live on each server only if they were pushed to it",
      "survival/permission-routes.test.ts > a permission grant > stays live if it is revoked while its server is off, until the server has the change",
    ],
  },
  {
    says: "player: own kills by profile.",
    routes: ["GET /player/survival/profiles"],
    shownBy: [
      "survival/rankings.test.ts > the NPC kills of one player > are, for the caller, the sum over all linked accounts",
    ],
  },
  {
    says: "admin `/admin/survival/npcs`: profiles: create, change, delete, restore a replaced one, push now.",
    routes: [
      "GET /admin/survival/npcs",
      "POST /admin/survival/npcs",
      "GET /admin/survival/npcs/profiles/:id",
      "PUT /admin/survival/npcs/profiles/:id",
      "DELETE /admin/survival/npcs/profiles/:id",
      "POST /admin/survival/npcs/profiles/:id/restore",
      "POST /admin/survival/npcs/push",
    ],
    shownBy: [
      "survival/npcs.test.ts > an NPC profile > is created with the defaults of the NPC plugins",
      "survival/npcs.test.ts > an NPC profile > keeps its former state as a revision, and changes only in the given fields",
      "survival/npcs.test.ts > an NPC profile > answers 404 after it is deleted, and its key is free",
      "survival/npcs.test.ts > an NPC profile > is restored from a revision under a new number",
      "survival/npc-syncs.test.ts > a manual push of NPCs > goes to every enabled server at once, in the name of the administrator",
    ],
  },
  {
    says: "admin `/admin/survival/npcs`: placements per server: list, add, change, remove, rename, respawn.",
    routes: [
      "GET /admin/survival/npcs/servers/:serverId/placements",
      "POST /admin/survival/npcs/servers/:serverId/placements",
      "PUT /admin/survival/npcs/servers/:serverId/placements/:placementId",
      "DELETE /admin/survival/npcs/servers/:serverId/placements/:placementId",
      "POST /admin/survival/npcs/servers/:serverId/placements/:placementId/rename",
      "POST /admin/survival/npcs/servers/:serverId/placements/:placementId/respawn",
    ],
    shownBy: [
      "survival/npc-placements.test.ts > an NPC placement > is created, pushed, and shown with its state in the game",
      "survival/npc-placements.test.ts > an NPC placement > is changed only in the given fields",
      "survival/npc-placements.test.ts > an NPC placement > is deleted with its NPCs in the game",
      "survival/npc-placements.test.ts > renaming an NPC placement > keeps its NPCs, and is sent in the name of the administrator",
      "survival/npc-placements.test.ts > respawning the NPCs of a placement > pushes pending changes first, and answers how many NPCs spawned",
    ],
  },
  {
    says: "admin `PUT /admin/survival/npcs/factions`: site-wide faction table, one row per pair, both ways.",
    routes: ["PUT /admin/survival/npcs/factions"],
    shownBy: [
      "survival/npcs.test.ts > the table of relations between factions > has one row for two factions, in either order",
    ],
  },
  {
    says: "admin `GET /admin/survival/title-categories`, `PUT /admin/survival/title-categories/:stat`: empty text resets to the default title.",
    routes: ["GET /admin/survival/title-categories", "PUT /admin/survival/title-categories/:stat"],
    shownBy: [
      "survival/title-rules.test.ts > the title categories > have the titles that staff enter, or default titles for empty texts",
    ],
  },
  {
    says: "admin `GET`/`PUT /admin/survival/visibility`: admin only; carries the presence audience, the live-map card and per-label monument switches.",
    routes: ["GET /admin/survival/visibility", "PUT /admin/survival/visibility"],
    shownBy: [
      "survival/servers.test.ts > the visibility of survival servers > is changed key by key, and null restores the default",
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live > answers 404 to callers below staff if the live map is off, and to everyone for an unlisted server",
      "survival/map-image.test.ts > GET /public/survival/servers/:id/map > hides monuments that have a hidden label, and the seed of a server that does not show it",
      "http/gates.test.ts > a route that requires a role > %s answers 403 to every other role",
    ],
  },
  {
    says: "admin `GET`/`PUT /admin/survival/voice`: announcement voice (a styled group).",
    routes: ["GET /admin/survival/voice", "PUT /admin/survival/voice"],
    shownBy: [
      "survival/title-rules.test.ts > the style of chat messages that the site sends > is written completely, sent to every server, and sent again after a hello",
    ],
  },
  {
    says: "admin `PUT /admin/survival/servers/:id`: takes six wipe-schedule fields, written only when `wipeRule` is present.",
    routes: ["PUT /admin/survival/servers/:id"],
    shownBy: [
      "survival/servers.test.ts > the administration of survival servers > changes the wipe schedule only if the request contains wipeRule, and then replaces all its fields",
      "survival/wipes.test.ts > a wipe schedule in a request > changes nothing without wipeRule, whatever else is sent",
    ],
  },
  {
    says: "admin `PUT /admin/survival/servers/:id/titles`: chat title rules: stat, top N, text, colour; a mode `first`, `all` or up to N.",
    routes: ["PUT /admin/survival/servers/:id/titles"],
    shownBy: [
      "survival/title-rules.test.ts > the title rules of a server > are written completely and in order, and sent to the server",
    ],
  },
  {
    says: "admin `GET /admin/survival/servers/:id/integrations`: live read of which optional mods are loaded.",
    routes: ["GET /admin/survival/servers/:id/integrations"],
    shownBy: [
      "survival/announce.test.ts > the integrations of a server > are those that the server has loaded at present",
    ],
  },
  {
    says: "admin `POST /admin/survival/servers/:id/map/fetch`, `/map/render`: refetch or render the map.",
    routes: [
      "POST /admin/survival/servers/:id/map/fetch",
      "POST /admin/survival/servers/:id/map/render",
    ],
    shownBy: [
      "survival/map-image.test.ts > POST /admin/survival/servers/:id/map/fetch > fetches an image that is not stored",
      "survival/map-image.test.ts > POST /admin/survival/servers/:id/map/render > renders the map in the name of the administrator, fetches it, and keeps the old image",
    ],
  },
  {
    says: "admin `GET /admin/survival/config/:serverId/writes/:writeId`: poll a configuration write.",
    routes: ["GET /admin/survival/config/:serverId/writes/:writeId"],
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > is sent with the secrets restored, and ends with the outcome that its plugin reports",
      "survival/config-editor.test.ts > a configuration write > is found only by a plain UUID, and an id in brackets or with colons is answered 400",
    ],
  },
  {
    says: "admin: permission manager, zone presets, configuration editor, server list.",
    shownBy: [
      "survival/permission-routes.test.ts > a permission group > is created, read by staff, and pushed with its members",
      "survival/zones.test.ts > zone presets > are created with defaults, changed field by field, and deleted",
      "survival/config-editor.test.ts > the configurations of a survival server > are listed, each with the problem that prevents editing it",
      "survival/servers.test.ts > the administration of survival servers > adds a server with a slug from its name, and never shows its token",
    ],
  },
  {
    says: "The public server tabs (feed, leaderboard, online, wipes) answer from the service's own tables while every game server is off.",
    routes: [
      "GET /public/survival/servers/:id/feed",
      "GET /public/survival/servers/:id/leaderboard",
      "GET /public/survival/servers/:id/online",
      "GET /public/survival/servers/:id/wipes",
    ],
    shownBy: [
      "survival/servers.test.ts > a survival server in public answers > is shown from stored data while the game is off, with nobody online",
    ],
  },
  {
    says: "The online answer has the shape `{ players, hidden, count, audience }`; below the configured audience `players` is empty and `hidden` is true.",
    shownBy: [
      "survival/servers.test.ts > a survival server in public answers > hides the online players from callers below the presence audience, but shows their number",
    ],
  },
  {
    says: "Per-viewer answers carry `Cache-Control: private, no-store`.",
    deviation:
      "What an anonymous caller is answered is the same for all of them, and may be kept for five seconds.",
    reason: "Only an answer to a signed-in caller is of one viewer.",
    shownBy: [
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live > forbids caching for every caller",
      "http/conventions.test.ts > a response > has public caching headers for a public read only if the caller is anonymous",
      "http/caching.test.ts > the Cache-Control header of public answers > matches the documentation",
    ],
  },
];
