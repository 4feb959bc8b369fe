import type { Statement } from "./statement.ts";

/** What the contract says of the endpoints of survival servers. */
export const survival: readonly Statement[] = [
  {
    says: "The module mounts on all three tiers under the segment `survival`: `/public/survival`, `/player/survival`, `/admin/survival`.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the frozen ${set} routes",
      "survival/leaks.test.ts > the public and the players' part of survival servers > has every route of survival servers in it, or among those of staff",
    ],
  },
  {
    says: "public `GET /servers/:id`: one server; 404 for an unknown id.",
    routes: ["GET /public/survival/servers/:id"],
    shownBy: [
      "survival/servers.test.ts > a survival server as the public sees it > tells how it stands, and what the caller finds something in",
      "survival/servers.test.ts > a survival server as the public sees it > is one of those that are listed, and no other",
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
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live > shows staff where players and bases are, and everybody else what happens, on every process",
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live > cannot be opened to %s where players and bases are",
      "survival/map-image.test.ts > GET /public/survival/servers/:id/map > shows the picture, the grid and the monuments of the world that stands",
    ],
  },
  {
    says: "The map image is served immutable under its hash.",
    shownBy: [
      "survival/map-image.test.ts > GET /public/survival/servers/:id/map/image > answers the bytes under their hash, which may be kept for ever",
    ],
  },
  {
    says: "Live positions are held in memory only.",
    shownBy: [
      "survival/map-live.test.ts > where players are > is written to no table, not even of frames that are refused",
    ],
  },
  {
    says: "public `GET /servers/:id/clans`, `GET /clans/:externalId`: clan list is public; roster audience configurable.",
    routes: ["GET /public/survival/servers/:id/clans", "GET /public/survival/clans/:externalId"],
    shownBy: [
      "survival/clan-pages.test.ts > the board of clans > is told in its order, whole or not",
      "survival/clan-pages.test.ts > a clan > hides who is in it from everybody who has linked no Steam account",
      "survival/clan-pages.test.ts > a clan > shows who is in it to players, and what it says to its members to them and to staff",
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
      "survival/rankings.test.ts > the ranking by killed NPCs > counts each death once for the killer who is named, and none for nobody",
      "survival/rankings.test.ts > what one player has killed > is told by profile, with the rank among all",
    ],
  },
  {
    says: "player `GET /player/survival/permissions`: self-scoped; each entry carries the servers it reaches, already resolved; `live` reflects the pushed ledger.",
    routes: ["GET /player/survival/permissions"],
    shownBy: [
      "survival/permissions.test.ts > what a player may do > is told with every way that leads to it, and whether it is there",
      "survival/permissions.test.ts > what a player may do > is live by what was pushed alone, on each server for itself",
      "survival/permission-routes.test.ts > a grant > that was taken back while its server is off is live until the server is told",
    ],
  },
  {
    says: "player: own kills by profile.",
    routes: ["GET /player/survival/profiles"],
    shownBy: [
      "survival/rankings.test.ts > what one player has killed > is for the caller the sum of all linked accounts, and of nobody else's",
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
      "survival/npcs.test.ts > an NPC profile > is made with what the NPC plugins have where nothing is said",
      "survival/npcs.test.ts > an NPC profile > keeps what it was as a revision, and changes what is named alone",
      "survival/npcs.test.ts > an NPC profile > is gone once it is deleted, and its key is free",
      "survival/npcs.test.ts > an NPC profile > is restored from a revision, under a new number",
      "survival/npc-pushes.test.ts > a push by hand > goes to every enabled server at once, in the name of who asks for it",
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
      "survival/npc-placements.test.ts > a placement > is added, pushed, and shown with what the game says of it",
      "survival/npc-placements.test.ts > a placement > is changed in what is named alone",
      "survival/npc-placements.test.ts > a placement > is removed with its NPCs, and what was made in the game goes too",
      "survival/npc-placements.test.ts > renaming a placement > keeps its NPCs, in the name of who does it",
      "survival/npc-placements.test.ts > filling a placement up > pushes first what the game does not know yet, and says how many came",
    ],
  },
  {
    says: "admin `PUT /admin/survival/npcs/factions`: site-wide faction table, one row per pair, both ways.",
    routes: ["PUT /admin/survival/npcs/factions"],
    shownBy: [
      "survival/npcs.test.ts > the table of factions > has one row for two factions, whichever is named first",
    ],
  },
  {
    says: "admin `GET /admin/survival/title-categories`, `PUT /admin/survival/title-categories/:stat`: empty text resets to the default title.",
    routes: ["GET /admin/survival/title-categories", "PUT /admin/survival/title-categories/:stat"],
    shownBy: [
      "survival/title-rules.test.ts > the categories of titles > are called what staff write, and by default again for an empty text",
    ],
  },
  {
    says: "admin `GET`/`PUT /admin/survival/visibility`: admin only; carries the presence audience, the live-map card and per-label monument switches.",
    routes: ["GET /admin/survival/visibility", "PUT /admin/survival/visibility"],
    shownBy: [
      "survival/servers.test.ts > who sees what of the survival servers > is changed key by key, and null follows the default again",
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live > is not there below staff where it is switched off, nor for anybody on an unlisted server",
      "survival/map-image.test.ts > GET /public/survival/servers/:id/map > hides monuments of a hidden label and the seed of a server that does not show it",
      "http/gates.test.ts > a route behind roles > %s answers 403 to every other role",
    ],
  },
  {
    says: "admin `GET`/`PUT /admin/survival/voice`: announcement voice (a styled group).",
    routes: ["GET /admin/survival/voice", "PUT /admin/survival/voice"],
    shownBy: [
      "survival/title-rules.test.ts > the voice of the site > is written whole, told to every server, and again when one is back",
    ],
  },
  {
    says: "admin `PUT /admin/survival/servers/:id`: takes six wipe-schedule fields, written only when `wipeRule` is present.",
    routes: ["PUT /admin/survival/servers/:id"],
    shownBy: [
      "survival/servers.test.ts > administering survival servers > changes nothing of the wipe schedule where the rule is not sent, and all of it where it is",
      "survival/wipes.test.ts > a written schedule > changes nothing where wipeRule was not sent, whatever else was",
    ],
  },
  {
    says: "admin `PUT /admin/survival/servers/:id/titles`: chat title rules: stat, top N, text, colour; a mode `first`, `all` or up to N.",
    routes: ["PUT /admin/survival/servers/:id/titles"],
    shownBy: [
      "survival/title-rules.test.ts > the title rules of a server > are written whole and in order, and told to the server",
    ],
  },
  {
    says: "admin `GET /admin/survival/servers/:id/integrations`: live read of which optional mods are loaded.",
    routes: ["GET /admin/survival/servers/:id/integrations"],
    shownBy: [
      "survival/announce.test.ts > the integrations of a server > are those that it has loaded now",
    ],
  },
  {
    says: "admin `POST /admin/survival/servers/:id/map/fetch`, `/map/render`: refetch or render the map.",
    routes: [
      "POST /admin/survival/servers/:id/map/fetch",
      "POST /admin/survival/servers/:id/map/render",
    ],
    shownBy: [
      "survival/map-image.test.ts > POST /admin/survival/servers/:id/map/fetch > fetches a picture that is not held",
      "survival/map-image.test.ts > POST /admin/survival/servers/:id/map/render > has the map drawn anew in the administrator's name, and fetches it; the old one stays",
    ],
  },
  {
    says: "admin `GET /admin/survival/config/:serverId/writes/:writeId`: poll a configuration write.",
    routes: ["GET /admin/survival/config/:serverId/writes/:writeId"],
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > goes out with the secrets of the file, and settles by what its plugin tells",
      "survival/config-editor.test.ts > a configuration write > is read and taken back by its id alone, 400 for one in brackets or with colons",
    ],
  },
  {
    says: "admin: permission manager, zone presets, configuration editor, server list.",
    shownBy: [
      "survival/permission-routes.test.ts > a permission group > is made, changed, read by staff and pushed with those in it",
      "survival/zones.test.ts > zone presets > are made with defaults, changed field by field and deleted",
      "survival/config-editor.test.ts > the configurations of a survival server > are listed with what stands in the way of editing them",
      "survival/servers.test.ts > administering survival servers > adds one, whose token never leaves and whose slug comes from its name",
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
      "survival/servers.test.ts > a survival server as the public sees it > answers from our own tables while the game is off, and nobody is on it then",
    ],
  },
  {
    says: "The online answer has the shape `{ players, hidden, count, audience }`; below the configured audience `players` is empty and `hidden` is true.",
    shownBy: [
      "survival/servers.test.ts > a survival server as the public sees it > hides who is there from those below the presence audience, and keeps the count",
    ],
  },
  {
    says: "Per-viewer answers carry `Cache-Control: private, no-store`.",
    deviation:
      "What an anonymous caller is answered is the same for all of them, and may be kept for five seconds.",
    reason: "Only an answer to a signed-in caller is of one viewer.",
    shownBy: [
      "survival/map-live.test.ts > GET /public/survival/servers/:id/map/live > is kept by no cache, for whomever it is",
      "http/conventions.test.ts > an answer > of a public read may be kept by caches when nobody is signed in, and never otherwise",
      "http/caching.test.ts > what caches may keep of public answers > is as the documents say",
    ],
  },
];
