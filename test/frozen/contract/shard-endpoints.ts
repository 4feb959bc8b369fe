import type { Statement } from "./statement.ts";

/** The contract's statements on shard endpoints for administrators and players. */
export const shardEndpoints: readonly Statement[] = [
  {
    says: "'admin/moderator' means either; 'self' means Auth and scoped to the caller's linked accounts (admins: any).",
    shownBy: [
      "http/gates.test.ts > a route that requires a role > %s answers 403 to every other role",
      "shard/own-reads.test.ts > the reads of game accounts under %s > give %s the data of account %s only if permitted (permitted: %s)",
    ],
  },
  {
    says: "`POST /admin/shard/account`: Auth; `{ account string, password string }` both required; 201 object; 403 signup unavailable; 409 name taken.",
    routes: ["POST /admin/shard/account"],
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > creates the account on the shard and links it to the caller, who is signed in by %s",
      "shard/game-accounts.test.ts > creating a game account > answers 403 while the site takes no sign-ups, before it validates the fields",
      "shard/game-accounts.test.ts > creating a game account > answers 403 while the shard takes no sign-ups from the site, and 409 for a taken name",
    ],
  },
  {
    says: "`GET /admin/shard/accounts`: self; array of ShardLink.",
    routes: ["GET /admin/shard/accounts"],
    shownBy: [
      "shard/own-reads.test.ts > a list for the caller > contains, for %s under the staff path, all accounts only if the caller is an admin",
    ],
  },
  {
    says: "`GET /admin/shard/assets`: admin; AssetStatus; 403.",
    routes: ["GET /admin/shard/assets"],
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > loads the catalog, and the pictures of the land, of the bodies of players and of the atlas's creatures",
      "imports/assets.test.ts > POST /admin/shard/assets/import > refuses a caller who is not an administrator, and a flag that is not a boolean",
    ],
  },
  {
    says: "`POST /admin/shard/assets/import`: admin; optional `{ force boolean, approve boolean }`; AssetImportResult (200 even when unavailable).",
    routes: ["POST /admin/shard/assets/import"],
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > fetches all pictures again if forced, and writes none that is unchanged",
      "imports/assets.test.ts > POST /admin/shard/assets/import > asks for a review when picture keys have vanished, and changes nothing until an administrator approves",
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers DISABLED without a call while the link is off",
    ],
  },
  {
    says: "`POST /admin/shard/assets/warm`: admin; optional `{ force boolean, limit integer 1-2000 }`; ItemArtWarmResult; 403.",
    routes: ["POST /admin/shard/assets/warm"],
    shownBy: [
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > requests pictures in slices of 200 up to the limit, beginning with the pictures of the most listed items",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > requests stored pictures again if forced, and counts only changed pictures as written",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > refuses a caller who is not an administrator, and a limit out of range",
    ],
  },
  {
    says: "`GET /admin/shard/atlas`: admin; AtlasStatus.",
    routes: ["GET /admin/shard/atlas"],
    shownBy: [
      "imports/atlas.test.ts > an atlas import from a server tree > is shown in the status, together with a change of the tree since the import",
      "imports/atlas.test.ts > the admin routes of the atlas > refuse callers who are not administrators: %s",
    ],
  },
  {
    says: "`POST /admin/shard/atlas/approve`: admin; AtlasRefreshResult.",
    routes: ["POST /admin/shard/atlas/approve"],
    shownBy: [
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > is applied on approval, after the tree was read again",
    ],
  },
  {
    says: "`POST /admin/shard/atlas/import`: admin; optional `{ force }`; AtlasRefreshResult (200 with `unavailable` for an unreadable source).",
    routes: ["POST /admin/shard/atlas/import"],
    shownBy: [
      "imports/atlas.test.ts > an atlas import from a server tree > reports exactly what it read, and answers unchanged the next time",
      "imports/atlas.test.ts > a server tree that cannot be read > is answered with status 200 and the result unavailable: %s",
    ],
  },
  {
    says: "`PUT /admin/shard/atlas/path`: admin; `{ path string }` required; blank clears; AtlasStatus; persisted as a setting that wins over the deploy default; does not import.",
    routes: ["PUT /admin/shard/atlas/path"],
    shownBy: [
      "imports/atlas.test.ts > the admin routes of the atlas > refuse the invalid path %j",
      "imports/atlas.test.ts > the admin routes of the atlas > prefer the stored path, and use the path of the environment variable if none is stored",
      "imports/atlas.test.ts > an atlas import from a server tree > is shown in the status, together with a change of the tree since the import",
    ],
  },
  {
    says: "`POST /admin/shard/atlas/reject`: admin; AtlasRefreshResult; 404 nothing awaiting review.",
    routes: ["POST /admin/shard/atlas/reject"],
    shownBy: [
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > stays rejected until the tree changes",
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > cannot be approved or rejected while no refresh is staged",
    ],
  },
  {
    says: "`GET /admin/shard/audit`: admin/moderator; query `limit`; array of ShardEvent (`admin.audit`, newest first).",
    routes: ["GET /admin/shard/audit"],
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/audit > shows an administrator all fields of the events, newest first",
      "shard/staff-reads.test.ts > GET /admin/shard/audit > hides accounts and undeclared fields from a moderator",
    ],
  },
  {
    says: "`POST /admin/shard/ban`: admin/moderator; `{ account, serial, durationSec integer, reason }`; object; 403 protected target or write plane disabled.",
    routes: ["POST /admin/shard/ban"],
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban > bans for a time or permanently, and lifts a ban",
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban > refuses a protected account with 403, and logs the attempt",
      "shard/shard-faults.test.ts > every route that calls the shard > answers the error %i %s of the shard with %i",
    ],
  },
  {
    says: "`POST /admin/shard/broadcast`: admin/moderator; `{ text string required, hue integer }`; object.",
    routes: ["POST /admin/shard/broadcast"],
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/broadcast > sends the text to everyone in the world",
      "shard/commands.test.ts > POST /admin/shard/broadcast > answers 400 to %j",
    ],
  },
  {
    says: "`GET /admin/shard/char/{serial}`: self; admins any; path `serial`; object; 400, 403, 404, 502, 503.",
    routes: ["GET /admin/shard/char/:serial"],
    shownBy: [
      "shard/own-reads.test.ts > the reads of game accounts under %s > give %s the data of account %s only if permitted (permitted: %s)",
      "shard/own-reads.test.ts > the reads of game accounts under %s > answer 400 to the serial %s",
      "shard/own-reads.test.ts > the owner of a character > is answered with 404 to an administrator if the shard does not have the character or account",
      "shard/shard-faults.test.ts > every route that calls the shard > answers the error %i %s of the shard with %i",
    ],
  },
  {
    says: "`GET /admin/shard/clilocs`: admin; ClilocStatus.",
    routes: ["GET /admin/shard/clilocs"],
    shownBy: [
      "imports/clilocs.test.ts > the admin routes of the client texts > show the loaded texts in the status",
      "imports/clilocs.test.ts > the admin routes of the client texts > refuse callers who are not administrators: %s",
    ],
  },
  {
    says: "`POST /admin/shard/clilocs/import`: admin; optional `{ force, approve }`; ClilocRefreshResult.",
    routes: ["POST /admin/shard/clilocs/import"],
    shownBy: [
      "imports/clilocs.test.ts > an import of texts from files > reports exactly what it read, stores it, and answers unchanged the next time",
      "imports/clilocs.test.ts > an import of texts from files > asks for a review before the texts of a vanished file are lost",
    ],
  },
  {
    says: "`PUT /admin/shard/clilocs/path`: admin; `{ path }` required; blank clears; ClilocStatus; overlays are read from a `custom/` directory beside the path.",
    routes: ["PUT /admin/shard/clilocs/path"],
    shownBy: [
      "imports/clilocs.test.ts > files that cannot be read > are reported by their cause: an absent path, no path, or a folder without the file",
      "imports/clilocs.test.ts > an import of texts from files > merges overlay files over the base in the byte order of their names, and replaces the whole table",
    ],
  },
  {
    says: "`GET /admin/shard/houses`: admin/moderator; array of ShardHouse ordered by name.",
    routes: ["GET /admin/shard/houses"],
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/houses > shows an administrator every field of every house, ordered by name",
    ],
  },
  {
    says: "`POST /admin/shard/kick`: admin/moderator; `{ account, serial }`; object; 403.",
    routes: ["POST /admin/shard/kick"],
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/kick > kicks in the name of the session's user, whatever the body says",
      "shard/commands.test.ts > POST /admin/shard/kick > requires an account or a serial",
      "shard/own-accounts.test.ts > a game account that is linked to the calling %s > is refused as the target of POST %s, and nothing is sent or stored",
    ],
  },
  {
    says: "`POST /admin/shard/link`: self; ShardLinkRequest; ShardLinkResult; 400 unknown or expired code; 502; 503.",
    routes: ["POST /admin/shard/link"],
    shownBy: [
      "shard/links.test.ts > POST /player/shard/link > answers 400 for a code that is unknown or used up",
      "shard/links.test.ts > POST /admin/shard/link > links the account to the caller, like the route for players",
      "shard/shard-faults.test.ts > every route that calls the shard > answers the error %i %s of the shard with %i",
    ],
  },
  {
    says: "`GET /admin/shard/pages`: admin/moderator; open help-page queue (array of objects).",
    routes: ["GET /admin/shard/pages"],
    shownBy: [
      "shard/commands.test.ts > help pages from players > are listed with the sender's character, and never with the account",
    ],
  },
  {
    says: "`POST /admin/shard/pages/{id}/close`: admin/moderator; object.",
    routes: ["POST /admin/shard/pages/:id/close"],
    shownBy: [
      "shard/commands.test.ts > help pages from players > can be closed once, and closing an unknown page answers 404",
    ],
  },
  {
    says: "`POST /admin/shard/pages/{id}/respond`: admin/moderator; `{ message string required, close boolean }`; object; 404 unknown page.",
    routes: ["POST /admin/shard/pages/:id/respond"],
    shownBy: [
      "shard/commands.test.ts > help pages from players > are answered in the name of the session's user, and the log keeps no text of the answer",
      "shard/commands.test.ts > help pages from players > can be closed once, and closing an unknown page answers 404",
    ],
  },
  {
    says: "`GET /admin/shard/roster/{account}`: self; admins any; object; 403 account not linked.",
    routes: ["GET /admin/shard/roster/:account"],
    shownBy: [
      "shard/own-reads.test.ts > the reads of game accounts under %s > give %s the data of account %s only if permitted (permitted: %s)",
    ],
  },
  {
    says: "`GET /admin/shard/sales`: self; array of VendorSale.",
    deviation: "An administrator, too, reads the sales of the own linked accounts alone.",
    reason:
      "A sale is visible only to the linked owner; `GET /admin/users/{id}/shard/sales` is the route for another user's.",
    routes: ["GET /admin/shard/sales"],
    shownBy: [
      "shard/own-reads.test.ts > the reads of game accounts under %s > show %s only the sales of their own vendors",
    ],
  },
  {
    says: "`POST /admin/shard/unban`: admin/moderator; `{ account }` required; object.",
    routes: ["POST /admin/shard/unban"],
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban > bans for a time or permanently, and lifts a ban",
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban > answers 400 if %s is %p, and sends the shard nothing",
    ],
  },
  {
    says: "`GET /admin/shard/vendors/{account}`: self; admins any; object; 403.",
    routes: ["GET /admin/shard/vendors/:account"],
    shownBy: [
      "shard/own-reads.test.ts > the reads of game accounts under %s > give %s the data of account %s only if permitted (permitted: %s)",
    ],
  },
  {
    says: "`GET`/`PUT /admin/shard/visibility`: admin; PUT: VisibilityUpdate; VisibilityConfig; 400 on unknown feature, unknown rung or a locked field (never silently dropped); 403.",
    routes: ["GET /admin/shard/visibility", "PUT /admin/shard/visibility"],
    shownBy: [
      "shard/public-reads.test.ts > the visibility settings > are unchanged after an update with unknown settings, which the refusal names",
      "shard/visibility.test.ts > checkVisibilityUpdate > accepts the settings that visibilityConfig returns, without changing any setting",
      "http/gates.test.ts > a route that requires a role > %s answers 403 to every other role",
    ],
  },
  {
    says: "`GET /admin/shardlink/config`: admin; masked config, health and ingestion stats.",
    routes: ["GET /admin/shardlink/config"],
    shownBy: [
      "shard/shardlink.test.ts > /admin/shardlink/config > is off and empty until it is set",
      "shard/shardlink.test.ts > /admin/shardlink/config > connects at once when it is saved, and shows everything except the token",
    ],
  },
  {
    says: "`PUT /admin/shardlink/config`: admin; `{ baseUrl string, wsUrl string, token string (write-only; blank keeps the stored one), protocol integer, enabled boolean }`; config and live status.",
    routes: ["PUT /admin/shardlink/config"],
    shownBy: [
      "shard/shardlink.test.ts > /admin/shardlink/config > connects at once when it is saved, and shows everything except the token",
      "shard/shardlink.test.ts > /admin/shardlink/config > keeps the stored token and other fields if they are blank or left out",
    ],
  },
  {
    says: "`PUT /admin/shardlink/config`: 400 validation error or missing token while enabling; saving restarts the ingest client.",
    shownBy: [
      "shard/shardlink.test.ts > /admin/shardlink/config > cannot be switched on without token and addresses, and names what is missing",
      "shard/shardlink.test.ts > /admin/shardlink/config > refuses a field %s with the value %j, and changes nothing",
      "shard/shardlink.test.ts > /admin/shardlink/config > switches to another shard as soon as it is saved",
    ],
  },
  {
    says: "`GET /admin/shardlink/signup-mode`: admin; `{ mode string, modes array of string }`.",
    routes: ["GET /admin/shardlink/signup-mode"],
    shownBy: [
      "shard/commands.test.ts > /admin/shardlink/signup-mode > reads and changes the shard's own mode",
    ],
  },
  {
    says: "`PUT /admin/shardlink/signup-mode`: admin; `{ mode }` one of `disabled`, `website`, `hybrid`, `game`; `{ mode }`; 400 unknown mode.",
    routes: ["PUT /admin/shardlink/signup-mode"],
    shownBy: [
      "shard/commands.test.ts > /admin/shardlink/signup-mode > reads and changes the shard's own mode",
      "shard/commands.test.ts > /admin/shardlink/signup-mode > answers 400 to the mode %p",
    ],
  },
  {
    says: "`GET /admin/shardlink/stream`: admin; Server-Sent Events, full stream including audit and cheat kinds.",
    routes: ["GET /admin/shardlink/stream"],
    shownBy: [
      "shard/stream-connections.test.ts > GET /admin/shardlink/stream > carries every streamed event in full, including staff kinds and unknown kinds",
      "shard/canary.test.ts > data that only admins may see > is sent on the admin stream, which only admins can open",
    ],
  },
  {
    says: "`POST /admin/shardlink/towncrier`: admin; TownCrierRequest; object; 400 over caps; 503 shard unavailable; 502.",
    routes: ["POST /admin/shardlink/towncrier"],
    shownBy: [
      "shard/commands.test.ts > the town criers > list a new entry until it is removed, and answer 404 to a second removal",
      "shard/commands.test.ts > the town criers > refuse an entry with invalid lines or an invalid duration (case %#)",
      "shard/shard-faults.test.ts > every route that calls the shard > answers the error %i %s of the shard with %i",
    ],
  },
  {
    says: "`DELETE /admin/shardlink/towncrier/{id}`: admin; object; 404 unknown id; 502; 503.",
    routes: ["DELETE /admin/shardlink/towncrier/:id"],
    shownBy: [
      "shard/commands.test.ts > the town criers > list a new entry until it is removed, and answer 404 to a second removal",
      "shard/shard-faults.test.ts > every route that calls the shard > answers the error %i %s of the shard with %i",
    ],
  },
  {
    says: "`GET /admin/users/{id}/shard/accounts`: admin; path `id` integer; array of ShardLink; 404.",
    routes: ["GET /admin/users/:id/shard/accounts"],
    shownBy: [
      "shard/staff-reads.test.ts > /admin/users/:id/shard > shows a user's accounts, houses, characters, sales and offices",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers 404 for %s of an unknown user, and 400 for an invalid id",
    ],
  },
  {
    says: "`GET /admin/users/{id}/shard/houses`: admin; houses, IDOC first; 404.",
    routes: ["GET /admin/users/:id/shard/houses"],
    shownBy: [
      "shard/staff-reads.test.ts > /admin/users/:id/shard > shows a user's accounts, houses, characters, sales and offices",
      "shard/own-reads.test.ts > a list for the caller > contains, for %s, the caller's own houses, those in danger of collapse first",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers 404 for %s of an unknown user, and 400 for an invalid id",
    ],
  },
  {
    says: "`GET /admin/users/{id}/shard/online`: admin; online characters; 404.",
    routes: ["GET /admin/users/:id/shard/online"],
    shownBy: [
      "shard/staff-reads.test.ts > /admin/users/:id/shard > shows a user's accounts, houses, characters, sales and offices",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers 404 for %s of an unknown user, and 400 for an invalid id",
    ],
  },
  {
    says: "`GET /admin/users/{id}/shard/sales`: admin; array of VendorSale; 404.",
    routes: ["GET /admin/users/:id/shard/sales"],
    shownBy: [
      "shard/staff-reads.test.ts > /admin/users/:id/shard > shows a user's accounts, houses, characters, sales and offices",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers 404 for %s of an unknown user, and 400 for an invalid id",
    ],
  },
  {
    says: "`GET /admin/users/{id}/shard/standing`: admin; `{ governorOf, guildsLed }`; 404.",
    routes: ["GET /admin/users/:id/shard/standing"],
    shownBy: [
      "shard/staff-reads.test.ts > /admin/users/:id/shard > shows a user's accounts, houses, characters, sales and offices",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers empty offices for a user without an office",
      "shard/staff-reads.test.ts > /admin/users/:id/shard > answers 404 for %s of an unknown user, and 400 for an invalid id",
    ],
  },
  {
    says: "`DELETE /admin/users/{id}/shard/link/{account}`: admin only; `{ account string, unlinked boolean }`; drops the local mirror; actor stamped from the session.",
    routes: ["DELETE /admin/users/:id/shard/link/:account"],
    shownBy: [
      "shard/links.test.ts > DELETE /admin/users/:id/shard/link/:account > unlinks on the shard and on the site, in the name of the administrator",
    ],
  },
  {
    says: "`DELETE /admin/users/{id}/shard/link/{account}`: 403 protected staff account refused by the shard; 404 not linked; 502; 503.",
    shownBy: [
      "shard/links.test.ts > DELETE /admin/users/:id/shard/link/:account > answers 403 for an account of the game's staff, and keeps the link",
      "shard/links.test.ts > DELETE /admin/users/:id/shard/link/:account > answers 404 for another user's account and for an unknown user, without a call",
      "shard/shard-faults.test.ts > every route that calls the shard > answers the error %i %s of the shard with %i",
    ],
  },
  {
    says: "`POST /player/shard/account`: Auth; `{ account, password }` required; 201 `{ account string, linked boolean }`; 400 ValidationError; 403 unavailable (site or shard); 409 name taken.",
    routes: ["POST /player/shard/account"],
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > creates the account on the shard and links it to the caller, who is signed in by %s",
      "shard/game-accounts.test.ts > creating a game account > refuses the %s %j as the game does",
      "shard/game-accounts.test.ts > creating a game account > answers 403 while the shard takes no sign-ups from the site, and 409 for a taken name",
    ],
  },
  {
    says: "`POST /player/shard/account`: 429 per-IP cap; 503 shard unavailable, retry.",
    shownBy: [
      "shard/game-accounts.test.ts > the cap on game accounts > is three a day for an address, and refused requests do not count",
      "shard/game-accounts.test.ts > creating a game account > is never retried by the service, and happens once per idempotency key of the client",
    ],
  },
  {
    says: "`GET /player/shard/accounts`: Auth; array of ShardLink.",
    routes: ["GET /player/shard/accounts"],
    shownBy: [
      "shard/own-reads.test.ts > a list for the caller > contains, for %s under the player path, only the caller's own accounts",
    ],
  },
  {
    says: "`GET /player/shard/char/{serial}`: Auth; character sheet only for a character on a linked account; 400, 403.",
    routes: ["GET /player/shard/char/:serial"],
    shownBy: [
      "shard/own-reads.test.ts > the reads of game accounts under %s > give %s the data of account %s only if permitted (permitted: %s)",
      "shard/own-reads.test.ts > the reads of game accounts under %s > answer 400 to the serial %s",
      "shard/own-reads.test.ts > the reads of game accounts under %s > answer %s 403 for a character that does not exist, as for another user's character",
    ],
  },
  {
    says: "Game account creation requires `game_account_signup` enabled and the shard's own signup mode to accept website signups.",
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > answers 403 while the site takes no sign-ups, before it validates the fields",
      "shard/game-accounts.test.ts > creating a game account > answers 403 while the shard takes no sign-ups from the site, and 409 for a taken name",
    ],
  },
  {
    says: "The password of a game account is hashed on the shard and never stored or logged by the service.",
    shownBy: [
      "shard/game-accounts.test.ts > the password of a game account > is stored in no table",
      "shard/shard-faults.test.ts > the activity log > holds no password, no code and no private message of any command",
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
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
      "shard/own-reads.test.ts > a list for the caller",
      "appeals/appeals.test.ts > the owner of an appeal",
    ],
  },
];
