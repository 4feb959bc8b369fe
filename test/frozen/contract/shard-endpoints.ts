import type { Statement } from "./statement.ts";

/** What the contract says of the endpoints of administrators and players on the shard. */
export const shardEndpoints: readonly Statement[] = [
  {
    says: "'admin/moderator' means either; 'self' means Auth and scoped to the caller's linked accounts (admins: any).",
    shownBy: [
      "http/gates.test.ts > a route behind roles > %s answers 403 to every other role",
      "shard/own-reads.test.ts > what %s tells of game accounts > lets %s read of %s alone what is theirs: %s",
    ],
  },
  {
    says: "`POST /admin/shard/account`: Auth; `{ account string, password string }` both required; 201 object; 403 signup unavailable; 409 name taken.",
    routes: ["POST /admin/shard/account"],
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > makes it on the shard, linked to the caller, by %s",
      "shard/game-accounts.test.ts > creating a game account > is 403 while the site takes no sign-ups, before a field is looked at",
      "shard/game-accounts.test.ts > creating a game account > is 403 while the shard takes no sign-ups from the site, 409 for a name that is taken",
    ],
  },
  {
    says: "`GET /admin/shard/accounts`: self; array of ShardLink.",
    routes: ["GET /admin/shard/accounts"],
    shownBy: [
      "shard/own-reads.test.ts > what the lists tell > of accounts to %s on the path of staff: any to admins",
    ],
  },
  {
    says: "`GET /admin/shard/assets`: admin; AssetStatus; 403.",
    routes: ["GET /admin/shard/assets"],
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > loads the catalogue, the land, and the bodies of players and of the atlas's creatures",
      "imports/assets.test.ts > POST /admin/shard/assets/import > refuses who is no administrator, and what is no flag",
    ],
  },
  {
    says: "`POST /admin/shard/assets/import`: admin; optional `{ force boolean, approve boolean }`; AssetImportResult (200 even when unavailable).",
    routes: ["POST /admin/shard/assets/import"],
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > fetches all of them again when it is forced, and no other picture is shown for it",
      "imports/assets.test.ts > POST /admin/shard/assets/import > brings keys that are gone before an administrator, and applies nothing until approved",
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers DISABLED without a call while the link is off",
    ],
  },
  {
    says: "`POST /admin/shard/assets/warm`: admin; optional `{ force boolean, limit integer 1-2000 }`; ItemArtWarmResult; 403.",
    routes: ["POST /admin/shard/assets/warm"],
    shownBy: [
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > asks in slices of 200 up to the limit, for what most listings show first",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > asks again by force for what is held, and counts only pictures that are others",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > refuses who is no administrator, and limits out of range",
    ],
  },
  {
    says: "`GET /admin/shard/atlas`: admin; AtlasStatus.",
    routes: ["GET /admin/shard/atlas"],
    shownBy: [
      "imports/atlas.test.ts > an import from a tree > shows in the status what is loaded, and the drift of a changed tree",
      "imports/atlas.test.ts > the routes of the atlas > %s is for administrators",
    ],
  },
  {
    says: "`POST /admin/shard/atlas/approve`: admin; AtlasRefreshResult.",
    routes: ["POST /admin/shard/atlas/approve"],
    shownBy: [
      "imports/atlas.test.ts > a refresh that would lose a facet > is applied when it is approved, the tree parsed anew",
    ],
  },
  {
    says: "`POST /admin/shard/atlas/import`: admin; optional `{ force }`; AtlasRefreshResult (200 with `unavailable` for an unreadable source).",
    routes: ["POST /admin/shard/atlas/import"],
    shownBy: [
      "imports/atlas.test.ts > an import from a tree > says exactly what it read, and that it is unchanged the next time",
      "imports/atlas.test.ts > a tree that cannot be read > answers 200 and unavailable: %s",
    ],
  },
  {
    says: "`PUT /admin/shard/atlas/path`: admin; `{ path string }` required; blank clears; AtlasStatus; persisted as a setting that wins over the deploy default; does not import.",
    routes: ["PUT /admin/shard/atlas/path"],
    shownBy: [
      "imports/atlas.test.ts > the routes of the atlas > refuses the path of %j",
      "imports/atlas.test.ts > the routes of the atlas > prefers the setting to the deploy's own path, and falls back to that",
      "imports/atlas.test.ts > an import from a tree > shows in the status what is loaded, and the drift of a changed tree",
    ],
  },
  {
    says: "`POST /admin/shard/atlas/reject`: admin; AtlasRefreshResult; 404 nothing awaiting review.",
    routes: ["POST /admin/shard/atlas/reject"],
    shownBy: [
      "imports/atlas.test.ts > a refresh that would lose a facet > is remembered when it is rejected, until the tree changes",
      "imports/atlas.test.ts > a refresh that would lose a facet > has nothing to approve or reject when none is staged",
    ],
  },
  {
    says: "`GET /admin/shard/audit`: admin/moderator; query `limit`; array of ShardEvent (`admin.audit`, newest first).",
    routes: ["GET /admin/shard/audit"],
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/audit > tells an administrator the whole events, newest first",
      "shard/staff-reads.test.ts > GET /admin/shard/audit > tells a moderator nothing of accounts, and nothing that no kind of ours declares",
    ],
  },
  {
    says: "`POST /admin/shard/ban`: admin/moderator; `{ account, serial, durationSec integer, reason }`; object; 403 protected target or write plane disabled.",
    routes: ["POST /admin/shard/ban"],
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban > bans for a time, for ever, and lifts it",
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban > refuses a protected target with 403, and logs that it was tried",
      "shard/shard-faults.test.ts > every route that calls the shard, when the shard > answers %i %s, answers %i",
    ],
  },
  {
    says: "`POST /admin/shard/broadcast`: admin/moderator; `{ text string required, hue integer }`; object.",
    routes: ["POST /admin/shard/broadcast"],
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/broadcast > says it to everyone in the world",
      "shard/commands.test.ts > POST /admin/shard/broadcast > answers 400 to %j",
    ],
  },
  {
    says: "`GET /admin/shard/char/{serial}`: self; admins any; path `serial`; object; 400, 403, 404, 502, 503.",
    routes: ["GET /admin/shard/char/:serial"],
    shownBy: [
      "shard/own-reads.test.ts > what %s tells of game accounts > lets %s read of %s alone what is theirs: %s",
      "shard/own-reads.test.ts > what %s tells of game accounts > answers 400 to the serial %s, whoever asks",
      "shard/own-reads.test.ts > whose a character is > is 404 to an administrator when the shard has no such character or account",
      "shard/shard-faults.test.ts > every route that calls the shard, when the shard > answers %i %s, answers %i",
    ],
  },
  {
    says: "`GET /admin/shard/clilocs`: admin; ClilocStatus.",
    routes: ["GET /admin/shard/clilocs"],
    shownBy: [
      "imports/clilocs.test.ts > the routes of the texts > show in the status what is loaded",
      "imports/clilocs.test.ts > the routes of the texts > %s is for administrators",
    ],
  },
  {
    says: "`POST /admin/shard/clilocs/import`: admin; optional `{ force, approve }`; ClilocRefreshResult.",
    routes: ["POST /admin/shard/clilocs/import"],
    shownBy: [
      "imports/clilocs.test.ts > an import from files > says exactly what it read, stores it, and is unchanged the next time",
      "imports/clilocs.test.ts > an import from files > asks before the texts of a vanished file are lost",
    ],
  },
  {
    says: "`PUT /admin/shard/clilocs/path`: admin; `{ path }` required; blank clears; ClilocStatus; overlays are read from a `custom/` directory beside the path.",
    routes: ["PUT /admin/shard/clilocs/path"],
    shownBy: [
      "imports/clilocs.test.ts > files that cannot be read > tell a path that is absent, not set, or without the file apart",
      "imports/clilocs.test.ts > an import from files > merges overlays in byte-wise order over the base, and replaces the whole table",
    ],
  },
  {
    says: "`GET /admin/shard/houses`: admin/moderator; array of ShardHouse ordered by name.",
    routes: ["GET /admin/shard/houses"],
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/houses > tells an administrator all of every house, by name",
    ],
  },
  {
    says: "`POST /admin/shard/kick`: admin/moderator; `{ account, serial }`; object; 403.",
    routes: ["POST /admin/shard/kick"],
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/kick > kicks in the name of the session, whatever the body says",
      "shard/commands.test.ts > POST /admin/shard/kick > needs to know whom",
      "shard/own-accounts.test.ts > a linked account of the %s who asks > is refused by POST %s, and nothing is sent or written",
    ],
  },
  {
    says: "`POST /admin/shard/link`: self; ShardLinkRequest; ShardLinkResult; 400 unknown or expired code; 502; 503.",
    routes: ["POST /admin/shard/link"],
    shownBy: [
      "shard/links.test.ts > POST /player/shard/link > answers 400 for a code that is unknown or used up",
      "shard/links.test.ts > POST /admin/shard/link > links for the caller as the path of players does",
      "shard/shard-faults.test.ts > every route that calls the shard, when the shard > answers %i %s, answers %i",
    ],
  },
  {
    says: "`GET /admin/shard/pages`: admin/moderator; open help-page queue (array of objects).",
    routes: ["GET /admin/shard/pages"],
    shownBy: [
      "shard/commands.test.ts > the help pages > are listed with who sent them, and never by account",
    ],
  },
  {
    says: "`POST /admin/shard/pages/{id}/close`: admin/moderator; object.",
    routes: ["POST /admin/shard/pages/:id/close"],
    shownBy: ["shard/commands.test.ts > the help pages > are closed once; one that is gone is 404"],
  },
  {
    says: "`POST /admin/shard/pages/{id}/respond`: admin/moderator; `{ message string required, close boolean }`; object; 404 unknown page.",
    routes: ["POST /admin/shard/pages/:id/respond"],
    shownBy: [
      "shard/commands.test.ts > the help pages > are answered in the name of the session; the log keeps no word of it",
      "shard/commands.test.ts > the help pages > are closed once; one that is gone is 404",
    ],
  },
  {
    says: "`GET /admin/shard/roster/{account}`: self; admins any; object; 403 account not linked.",
    routes: ["GET /admin/shard/roster/:account"],
    shownBy: [
      "shard/own-reads.test.ts > what %s tells of game accounts > lets %s read of %s alone what is theirs: %s",
    ],
  },
  {
    says: "`GET /admin/shard/sales`: self; array of VendorSale.",
    deviation: "An administrator, too, reads the sales of the own linked accounts alone.",
    reason:
      "A sale is visible only to the linked owner; `GET /admin/users/{id}/shard/sales` is the route for another user's.",
    routes: ["GET /admin/shard/sales"],
    shownBy: [
      "shard/own-reads.test.ts > what %s tells of game accounts > tells %s of the sales of their own vendors alone",
    ],
  },
  {
    says: "`POST /admin/shard/unban`: admin/moderator; `{ account }` required; object.",
    routes: ["POST /admin/shard/unban"],
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban > bans for a time, for ever, and lifts it",
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban > answers 400 to %s %p and asks the shard nothing",
    ],
  },
  {
    says: "`GET /admin/shard/vendors/{account}`: self; admins any; object; 403.",
    routes: ["GET /admin/shard/vendors/:account"],
    shownBy: [
      "shard/own-reads.test.ts > what %s tells of game accounts > lets %s read of %s alone what is theirs: %s",
    ],
  },
  {
    says: "`GET`/`PUT /admin/shard/visibility`: admin; PUT: VisibilityUpdate; VisibilityConfig; 400 on unknown feature, unknown rung or a locked field (never silently dropped); 403.",
    routes: ["GET /admin/shard/visibility", "PUT /admin/shard/visibility"],
    shownBy: [
      "shard/public-reads.test.ts > visibility > refuses what it does not know, names it, and changes nothing",
      "shard/visibility.test.ts > checkVisibilityUpdate > takes back what the configuration answers, and changes nothing by it",
      "http/gates.test.ts > a route behind roles > %s answers 403 to every other role",
    ],
  },
  {
    says: "`GET /admin/shardlink/config`: admin; masked config, health and ingestion stats.",
    routes: ["GET /admin/shardlink/config"],
    shownBy: [
      "shard/shardlink.test.ts > /admin/shardlink/config > is off and empty until somebody sets it",
      "shard/shardlink.test.ts > /admin/shardlink/config > connects at once when it is saved, and tells all but the token",
    ],
  },
  {
    says: "`PUT /admin/shardlink/config`: admin; `{ baseUrl string, wsUrl string, token string (write-only; blank keeps the stored one), protocol integer, enabled boolean }`; config and live status.",
    routes: ["PUT /admin/shardlink/config"],
    shownBy: [
      "shard/shardlink.test.ts > /admin/shardlink/config > connects at once when it is saved, and tells all but the token",
      "shard/shardlink.test.ts > /admin/shardlink/config > keeps the stored token when a blank one is sent, and what is left out",
    ],
  },
  {
    says: "`PUT /admin/shardlink/config`: 400 validation error or missing token while enabling; saving restarts the ingest client.",
    shownBy: [
      "shard/shardlink.test.ts > /admin/shardlink/config > cannot be switched on without token and addresses, and names what is missing",
      "shard/shardlink.test.ts > /admin/shardlink/config > refuses %s as %j, and changes nothing",
      "shard/shardlink.test.ts > /admin/shardlink/config > leaves one shard for another as soon as it is told",
    ],
  },
  {
    says: "`GET /admin/shardlink/signup-mode`: admin; `{ mode string, modes array of string }`.",
    routes: ["GET /admin/shardlink/signup-mode"],
    shownBy: [
      "shard/commands.test.ts > /admin/shardlink/signup-mode > is the shard's own, read and changed",
    ],
  },
  {
    says: "`PUT /admin/shardlink/signup-mode`: admin; `{ mode }` one of `disabled`, `website`, `hybrid`, `game`; `{ mode }`; 400 unknown mode.",
    routes: ["PUT /admin/shardlink/signup-mode"],
    shownBy: [
      "shard/commands.test.ts > /admin/shardlink/signup-mode > is the shard's own, read and changed",
      "shard/commands.test.ts > /admin/shardlink/signup-mode > answers 400 to the mode %p",
    ],
  },
  {
    says: "`GET /admin/shardlink/stream`: admin; Server-Sent Events, full stream including audit and cheat kinds.",
    routes: ["GET /admin/shardlink/stream"],
    shownBy: [
      "shard/stream-connections.test.ts > GET /admin/shardlink/stream > carries every streamed event whole, of kinds for staff and of unknown ones too",
      "shard/canary.test.ts > what is for admins alone > is all on the admin stream, and there for admins alone",
    ],
  },
  {
    says: "`POST /admin/shardlink/towncrier`: admin; TownCrierRequest; object; 400 over caps; 503 shard unavailable; 502.",
    routes: ["POST /admin/shardlink/towncrier"],
    shownBy: [
      "shard/commands.test.ts > the town criers > shout what they are given until its time is over or it is taken from them",
      "shard/commands.test.ts > the town criers > are not given more than they can shout: %#",
      "shard/shard-faults.test.ts > every route that calls the shard, when the shard > answers %i %s, answers %i",
    ],
  },
  {
    says: "`DELETE /admin/shardlink/towncrier/{id}`: admin; object; 404 unknown id; 502; 503.",
    routes: ["DELETE /admin/shardlink/towncrier/:id"],
    shownBy: [
      "shard/commands.test.ts > the town criers > shout what they are given until its time is over or it is taken from them",
      "shard/shard-faults.test.ts > every route that calls the shard, when the shard > answers %i %s, answers %i",
    ],
  },
  {
    says: "`GET /admin/users/{id}/shard/accounts`: admin; path `id` integer; array of ShardLink; 404.",
    routes: ["GET /admin/users/:id/shard/accounts"],
    shownBy: [
      "shard/staff-reads.test.ts > /admin/users/:id/shard > tells of one user's accounts, houses, characters, sales and offices",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers 404 for %s of an unknown user and 400 for an id that is none",
    ],
  },
  {
    says: "`GET /admin/users/{id}/shard/houses`: admin; houses, IDOC first; 404.",
    routes: ["GET /admin/users/:id/shard/houses"],
    shownBy: [
      "shard/staff-reads.test.ts > /admin/users/:id/shard > tells of one user's accounts, houses, characters, sales and offices",
      "shard/own-reads.test.ts > what the lists tell > of houses to %s: their own, those in danger first",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers 404 for %s of an unknown user and 400 for an id that is none",
    ],
  },
  {
    says: "`GET /admin/users/{id}/shard/online`: admin; online characters; 404.",
    routes: ["GET /admin/users/:id/shard/online"],
    shownBy: [
      "shard/staff-reads.test.ts > /admin/users/:id/shard > tells of one user's accounts, houses, characters, sales and offices",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers 404 for %s of an unknown user and 400 for an id that is none",
    ],
  },
  {
    says: "`GET /admin/users/{id}/shard/sales`: admin; array of VendorSale; 404.",
    routes: ["GET /admin/users/:id/shard/sales"],
    shownBy: [
      "shard/staff-reads.test.ts > /admin/users/:id/shard > tells of one user's accounts, houses, characters, sales and offices",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers 404 for %s of an unknown user and 400 for an id that is none",
    ],
  },
  {
    says: "`GET /admin/users/{id}/shard/standing`: admin; `{ governorOf, guildsLed }`; 404.",
    routes: ["GET /admin/users/:id/shard/standing"],
    shownBy: [
      "shard/staff-reads.test.ts > /admin/users/:id/shard > tells of one user's accounts, houses, characters, sales and offices",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > tells of a user without office that there is none",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers 404 for %s of an unknown user and 400 for an id that is none",
    ],
  },
  {
    says: "`DELETE /admin/users/{id}/shard/link/{account}`: admin only; `{ account string, unlinked boolean }`; drops the local mirror; actor stamped from the session.",
    routes: ["DELETE /admin/users/:id/shard/link/:account"],
    shownBy: [
      "shard/links.test.ts > DELETE /admin/users/:id/shard/link/:account > unlinks on the shard and here, in the name of the administrator",
    ],
  },
  {
    says: "`DELETE /admin/users/{id}/shard/link/{account}`: 403 protected staff account refused by the shard; 404 not linked; 502; 503.",
    shownBy: [
      "shard/links.test.ts > DELETE /admin/users/:id/shard/link/:account > answers 403 for an account of the game's staff, and keeps the link",
      "shard/links.test.ts > DELETE /admin/users/:id/shard/link/:account > answers 404 for another user's account and for an unknown user, without a call",
      "shard/shard-faults.test.ts > every route that calls the shard, when the shard > answers %i %s, answers %i",
    ],
  },
  {
    says: "`POST /player/shard/account`: Auth; `{ account, password }` required; 201 `{ account string, linked boolean }`; 400 ValidationError; 403 unavailable (site or shard); 409 name taken.",
    routes: ["POST /player/shard/account"],
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > makes it on the shard, linked to the caller, by %s",
      "shard/game-accounts.test.ts > creating a game account > refuses the %s %j by the game's own rules",
      "shard/game-accounts.test.ts > creating a game account > is 403 while the shard takes no sign-ups from the site, 409 for a name that is taken",
    ],
  },
  {
    says: "`POST /player/shard/account`: 429 per-IP cap; 503 shard unavailable, retry.",
    shownBy: [
      "shard/game-accounts.test.ts > the cap on game accounts > is three a day for an address, and what was refused does not count",
      "shard/game-accounts.test.ts > creating a game account > is never tried again by the service, and done once under a key of the client's",
    ],
  },
  {
    says: "`GET /player/shard/accounts`: Auth; array of ShardLink.",
    routes: ["GET /player/shard/accounts"],
    shownBy: [
      "shard/own-reads.test.ts > what the lists tell > of accounts to %s on the path of players: their own",
    ],
  },
  {
    says: "`GET /player/shard/char/{serial}`: Auth; character sheet only for a character on a linked account; 400, 403.",
    routes: ["GET /player/shard/char/:serial"],
    shownBy: [
      "shard/own-reads.test.ts > what %s tells of game accounts > lets %s read of %s alone what is theirs: %s",
      "shard/own-reads.test.ts > what %s tells of game accounts > answers 400 to the serial %s, whoever asks",
      "shard/own-reads.test.ts > what %s tells of game accounts > answers %s 403 for a character that does not exist, as for somebody else's",
    ],
  },
  {
    says: "Game account creation requires `game_account_signup` enabled and the shard's own signup mode to accept website signups.",
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > is 403 while the site takes no sign-ups, before a field is looked at",
      "shard/game-accounts.test.ts > creating a game account > is 403 while the shard takes no sign-ups from the site, 409 for a name that is taken",
    ],
  },
  {
    says: "The password of a game account is hashed on the shard and never stored or logged by the service.",
    shownBy: [
      "shard/game-accounts.test.ts > the password of a game account > is kept nowhere here",
      "shard/shard-faults.test.ts > the activity log > holds no password, no code and no private word, whatever came of them",
    ],
  },
  {
    says: "Remaining `/player/shard/*` routes (8 in the group), `/player/account/*` (8) and appeals (4).",
    routes: [
      "GET /player/shard/houses",
      "POST /player/shard/link",
      "GET /player/shard/roster/:account",
      "GET /player/shard/sales",
      "GET /player/shard/vendors/:account",
      "GET /player/appeals",
      "POST /player/appeals",
      "GET /player/appeals/:id",
      "POST /player/appeals/:id/messages",
    ],
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the frozen ${set} routes",
      "shard/own-reads.test.ts > what the lists tell",
      "appeals/appeals.test.ts > the owner of an appeal",
    ],
  },
];
