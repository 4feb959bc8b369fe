import type { Statement } from "./statement.ts";

/** The contract's statements on records of the shard bridge. */
export const shardRecords: readonly Statement[] = [
  {
    says: "ShardStatus: `enabled` boolean; `status` string, one of `connected`, `reconnecting`, `disconnected`, `error`; `pluginConnected` boolean; `lastEventAt` date-time nullable; `onlineCount` integer; `economy` (EconomyPoint).",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that was never linked > answer empty data without an error",
      "shard/public-reads.test.ts > the public reads of a connected shard > show the state of the shard",
      "shard/public-reads.test.ts > the public reads while the shard is away > keep answering from stored data",
      "shard/shard-faults.test.ts > the state of the shard link > is error after the sidecar refuses the protocol or the token, until a call succeeds",
    ],
  },
  {
    says: "EconomyPoint (nullable): `accounts` integer nullable; `gold` integer nullable; `t` integer epoch ms.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > show the state of the shard",
      "shard/public-reads.test.ts > the public reads of a connected shard > show when the shard last reported its gold totals, even if these are unchanged",
    ],
  },
  {
    says: "ShardEvent: `id` integer; `kind` string; `t` epoch ms; `bootId` string nullable; `payload` object (the full event); `createdAt` date-time.",
    deviation:
      "A moderator reads the payload without account names and without fields that no kind declares.",
    reason: "`acct` is locked to administrators.",
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/audit > shows an administrator all fields of the events, newest first",
      "shard/staff-reads.test.ts > GET /admin/shard/audit > hides accounts and undeclared fields from a moderator",
    ],
  },
  {
    says: "OnlinePlayer (only accounts linked to a website user are listed): `serial`; `name`; `map` nullable string; `x`, `y`, `z` nullable integers. Location is visible to admin and moderator only.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > list only linked characters, with their places for moderators and admins",
    ],
  },
  {
    says: "VendorSale (visible only to the linked owner): `t` epoch ms; `itemType` string; `amount` integer; `price` integer; `commission` integer nullable; `ownerAcct` string.",
    shownBy: [
      "shard/own-reads.test.ts > the reads of game accounts under %s > show %s only the sales of their own vendors",
    ],
  },
  {
    says: "ShardHouse: `serial`; `stage` string; `map` nullable; `x`, `y`, `z` nullable integers; `region` nullable; `name` nullable; `ownerSerial` nullable; `ownerAcct` nullable; `builtOn` date-time nullable; `lastRefreshed` date-time nullable; `isIdoc` boolean; `updatedAt` date-time.",
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/houses > shows an administrator every field of every house, ordered by name",
      "shard/own-reads.test.ts > a list for the caller > shows the owner every field of a house",
    ],
  },
  {
    says: "The public view lists only houses at the IDOC stage with location.",
    deviation:
      "The public view leaves out `ownerSerial`, `ownerAcct`, `builtOn` and `lastRefreshed`.",
    reason: "They tell of the owner, whom the public view does not show.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > list only houses in danger of collapsing, without their owners",
    ],
  },
  {
    says: "The staff view carries owner, price, co-owner and decay detail.",
    deviation: "`ownerAcct` is null for a moderator.",
    reason: "`acct` is locked to administrators.",
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/houses > shows an administrator every field of every house, ordered by name",
      "shard/staff-reads.test.ts > GET /admin/shard/houses > hides the owners' game accounts from a moderator",
    ],
  },
  {
    says: "PointsBoard: `system`; `nameString` nullable; `nameNumber` nullable (cliloc id, 0 when the name is literal); `maxPoints` nullable; `players` nullable; `showOnGump` boolean; `top`; `t` epoch ms nullable; `updatedAt` date-time.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > answer one board in full, and an empty board with an empty top",
      "shard/kinds.test.ts > a payload after checkPayload > has no localized name number if a board has a literal name",
    ],
  },
  {
    says: "PointsBoard `top`: array of `{ rank, serial, name, points }`, best first; `name` is omitted when the leaderboards `name` field is gated above the caller; empty when nobody has scored.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > answer one board in full, and an empty board with an empty top",
      "shard/public-reads.test.ts > the visibility settings > remove gated fields from the answers",
    ],
  },
  {
    says: "MarketLocation (one nullable object; omitted entirely when the `market.location` field is gated above the caller): `map`, `x`, `y`, `z`, `region`, `house` (the house sign name; null outside a house).",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers a page of listings, cheapest first, with the exact total",
      "shard/market.test.ts > the market's visibility > leaves a gated field out of every answer below its access level",
    ],
  },
  {
    says: "MarketListing: `serial`; `itemId`; `hue`; `amount`; `price`; `name` nullable; `cliloc` nullable; `displayName` nullable; `child` boolean (priced by an enclosing container); `vendor`.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers a page of listings, cheapest first, with the exact total",
    ],
  },
  {
    says: "`displayName` is resolved server-side from `name` first, else `cliloc`; null when no cliloc table is configured.",
    shownBy: [
      "shard/market.test.ts > listing names without a cliloc table > are null until a table is loaded, unless the listing has a literal name",
      "shard/market.test.ts > GET /public/shard/market > finds any part of a name in any case, and treats wildcards literally",
    ],
  },
  {
    says: "MarketListing `vendor`: `{ serial, shopName nullable, ownerSerial, ownerName, location, updatedAt }`; `ownerSerial` and `ownerName` are omitted when their fields are gated.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers a page of listings, cheapest first, with the exact total",
      "shard/market.test.ts > the market's visibility > leaves a gated field out of every answer below its access level",
    ],
  },
  {
    says: "MarketPage: `listings`; `total` (matches ignoring paging); `limit`; `offset`; `vendors` (vendors in the whole index); `staleAt` date-time nullable (oldest vendor row).",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers a page of listings, cheapest first, with the exact total",
      "shard/market.test.ts > a market without any events > is empty and answers without an error",
    ],
  },
  {
    says: "MarketVendor: `serial`; `shopName`; `ownerSerial`; `ownerName`; `location`; `count` (listings published); `total` (listings held); `truncated` (`total` exceeds `count`); `updatedAt`; `items`.",
    deviation: "`truncated` is what the shard says of its own list, whatever the numbers are.",
    reason:
      "The shard cuts its list before it sends it; a listing without a price is held, is not published, and was not cut.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers the vendor with everything that it sells, also from containers, cheapest first",
    ],
  },
  {
    says: "MarketMeta: `vendors`; `items`; `staleAt` (oldest vendor row); `freshAt` (newest); `maps` (facets that actually hold vendors, from the shard's data); `regions`.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market/meta > counts only listed vendors",
      "shard/market.test.ts > GET /public/shard/market/meta > has a later staleAt once the vendor with the oldest update is updated again",
    ],
  },
  {
    says: "ShardFeatures (what the caller may reach; drives navigation so no link returns 403): `level` one of `anonymous`, `logged_in`, `player`, `staff`, `admin`; `features` array of feature names.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > name the access level of each caller and the features that this level may read",
      "shard/visibility.test.ts > reachableFeatures > lists the features that an access level may read, in the catalog's order",
    ],
  },
  {
    says: "FeatureVisibility: `enabled` boolean; `audience` (minimum rung; each rung implies those below); `stream` boolean (whether the feature's event kinds fan out over the event stream); `fieldRules` object mapping a field name to a rung.",
    shownBy: [
      "shard/visibility.test.ts > visibilityConfig > returns the access levels, the locked fields, the defaults and the current settings",
      "shard/visibility.test.ts > findFeatureAccess > opens a feature to its audience and all higher access levels",
      "shard/projection.test.ts > projectEvent > gives no caller any event of a feature that %s",
    ],
  },
  {
    says: "`acct` and `webId` are locked to admin always and rejected in `fieldRules`.",
    shownBy: [
      "shard/public-reads.test.ts > the visibility settings > are unchanged after an update with unknown settings, which the refusal names",
      "shard/visibility.test.ts > checkVisibilityUpdate > refuses %s",
    ],
  },
  {
    says: "VisibilityConfig: `ladder`; `lockedFields` (`acct`, `webId`); `defaults` map feature name to FeatureVisibility (compiled defaults); `features` (defaults merged with stored overrides).",
    deviation: "The answer also carries `revision`.",
    reason:
      "A change may name the revision it is based on, and is refused where another administrator changed the rules since.",
    shownBy: [
      "shard/visibility.test.ts > visibilityConfig > returns the access levels, the locked fields, the defaults and the current settings",
    ],
  },
  {
    says: "VisibilityUpdate: required `features` map of feature name to (partial) FeatureVisibility.",
    shownBy: [
      "shard/visibility.test.ts > checkVisibilityUpdate > merges an update key by key into the stored settings",
      "shard/visibility.test.ts > checkVisibilityUpdate > refuses %s",
    ],
  },
  {
    says: "AtlasStatus: reports the source (the linked shard over the bridge, or a local game-server tree), whether it is readable, drift against the loaded atlas, counts and a `pending` object.",
    shownBy: [
      "imports/atlas.test.ts > an atlas import from a server tree > is shown in the status, together with a change of the tree since the import",
      "imports/linked.test.ts > an import over the shard link > loads the whole atlas, with the body ids of its creatures",
    ],
  },
  {
    says: "AtlasStatus `pending`: nullable; a parsed refresh that would remove a facet and was not applied; its `status` is `pending` or `rejected`.",
    shownBy: [
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > is staged for review and not applied",
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > stays rejected until the tree changes",
    ],
  },
  {
    says: "AtlasRefreshResult: `status` one of `skipped`, `unavailable`, `unchanged`, `imported`, `needsReview`, `failed`, `rejected`, `none`; `reason` nullable; `source` `bridge` or `fs`; `path` nullable; `code` nullable; `counts` nullable; `addedFacets`; `removedFacets`.",
    deviation: "`skipped` is never answered.",
    reason:
      "A second request with the same flags joins the running import; one with other flags is answered `unavailable`, `BUSY`.",
    shownBy: [
      "imports/atlas.test.ts > an atlas import from a server tree > reports exactly what it read, and answers unchanged the next time",
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > stays rejected until the tree changes",
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > cannot be approved or rejected while no refresh is staged",
      "imports/machinery.test.ts > a request for an import > joins a run with the same flags, and is answered BUSY during a run with other flags",
    ],
  },
  {
    says: "AtlasRefreshResult `code` on `unavailable`: `NO_PATH`, `NOT_FOUND`, `NO_REGIONS`, `NO_SPAWNS` from a local tree.",
    deviation:
      "A local tree is also answered with `MALFORMED` and `TOO_LARGE`, which the contract prints for the bridge.",
    reason: "A file of a tree can be damaged or too large as a page of the bridge can.",
    shownBy: [
      "imports/atlas.test.ts > a server tree that cannot be read > is answered with status 200 and the result unavailable: %s",
      "imports/atlas.test.ts > a server tree that cannot be read > is reported as NOT_FOUND if the path is absent or names a file, and as DISABLED if it is blank",
    ],
  },
  {
    says: "AtlasRefreshResult `code` on `unavailable`: `DISABLED`, `SOURCE_CHANGED`, `INCOMPLETE`, `MALFORMED`, `BUSY`, `SHARD_DOWN`, `TOO_LARGE` from the bridge.",
    shownBy: [
      "imports/linked.test.ts > an import that cannot read the shard's pages",
      "imports/linked.test.ts > an import over a link that cannot provide the data",
    ],
  },
  {
    says: "ClilocStatus: `source` `bridge` or `file`; `configured`; `path`; `file` nullable; `fileReadable`; `problem` nullable; `code` nullable; `shard` nullable; `drift` nullable; `count`; `sources`; `loadedSources` nullable; `missingSources`; `importedAt` nullable; `sourceBytes` nullable.",
    shownBy: [
      "imports/clilocs.test.ts > the admin routes of the client texts > show the loaded texts in the status",
      "imports/linked.test.ts > a configured path of client texts while a shard is linked > is not used, and the status gives the reason",
    ],
  },
  {
    says: "ClilocStatus `code`: one of `NO_PATH`, `NOT_FOUND`, `NO_FILE`, `UNREADABLE`, `COMPRESSED`, `DISABLED`, `NO_SOURCE`, `SHARD_DOWN`, `PROTOCOL`, `BUSY`, `UNAVAILABLE`.",
    shownBy: [
      "imports/clilocs.test.ts > files that cannot be read > are answered with status 200 and the result unavailable: %s",
      "imports/clilocs.test.ts > files that cannot be read > are reported by their cause: an absent path, no path, or a folder without the file",
      "imports/linked.test.ts > an import that cannot read the shard's pages > shows in the status of texts why the source cannot be read",
    ],
  },
  {
    says: "ClilocStatus `sources`: root-relative, base first then overlays in merge order; `loadedSources`: `{ label, kind (shard|base|custom), entries, added, overrode }`.",
    shownBy: [
      "imports/clilocs.test.ts > an import of texts from files > merges overlay files over the base in the byte order of their names, and replaces the whole table",
      "imports/clilocs.test.ts > the admin routes of the client texts > show the loaded texts in the status",
    ],
  },
  {
    says: "ClilocRefreshResult: `status` one of `skipped`, `unavailable`, `unchanged`, `imported`, `needsReview`, `failed`; `reason`; `source`; `code`; `path`; `file`; `count`; `parsed`; `blank`; `overlayProblem`; `sources`.",
    deviation: "`skipped` is never answered, here and by every other import.",
    reason: "A second request joins the running import.",
    shownBy: [
      "imports/machinery.test.ts > a request for an import > joins a run with the same flags, and is answered BUSY during a run with other flags",
      "imports/clilocs.test.ts > an import of texts from files > reports exactly what it read, stores it, and answers unchanged the next time",
      "imports/clilocs.test.ts > an import of texts from files > skips an overlay that cannot be read, and reports it",
    ],
  },
  {
    says: "ClilocRefreshResult: `pages`, `reported` and `received` (bridge only; disagreement means a wrong walk).",
    shownBy: [
      "imports/linked.test.ts > an import over the shard link > loads the whole table of texts, and reports the pages that it read",
    ],
  },
  {
    says: "ClilocRefreshResult: `missingSources` (on `needsReview`); `acceptedMissing` (on `imported` with `approve`).",
    shownBy: [
      "imports/clilocs.test.ts > an import of texts from files > asks for a review before the texts of a vanished file are lost",
    ],
  },
  {
    says: "ClilocRefreshResult `code`: the ClilocStatus codes plus `TRUNCATED`, `EMPTY`, `NOT_BUFFER`, `SOURCE_CHANGED`, `INCOMPLETE`, `STUCK`, `MALFORMED`, `TOO_LARGE`.",
    deviation: "`NOT_BUFFER` is never answered.",
    reason:
      "It tells of a file that was read as something other than bytes, which cannot happen here.",
    shownBy: [
      "imports/cliloc-formats.test.ts > the plain text table of the client > is refused when it %s",
      "imports/linked.test.ts > an import that cannot read the shard's pages",
      "imports/clilocs.test.ts > files that cannot be read > are answered with status 200 and the result unavailable: %s",
    ],
  },
  {
    says: "AssetStatus: `loaded` `{ assets, stored, creatures, resolved, catalog nullable, extractorVersion nullable, importedAt nullable, items, land }`; `shard` nullable `{ files, extractorVersion, hashing, complete, imaging, families }`; `drift` nullable; `reason` nullable; `code` nullable.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > loads the catalog, and the pictures of the land, of the bodies of players and of the atlas's creatures",
      "imports/assets.test.ts > POST /admin/shard/assets/import > is shown as due by the status before the first import",
    ],
  },
  {
    says: "AssetStatus `code`: one of `DISABLED`, `NO_SOURCE`, `SHARD_DOWN`, `PROTOCOL`, `BUSY`, `NO_IMAGING`, `SOURCE_CHANGED`, `UNAVAILABLE`.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers BUSY while the shard is hashing its pictures, and the status reports that too",
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers %s if the request for the manifest fails with %j",
    ],
  },
  {
    says: "AssetImportResult: `status`; `reason`; `code`; `catalog`; `extractorVersion`; `assets`; `fetched`; `written`; `absent`; `unsupported`; `scanned`; `pages`; `playerBodies`; `bodies` `{ asked, answered, resolved, tally { ok, unknown, notCreature, failed }, reason }`; `art` `{ applied, derived, operator, error }`.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > loads the catalog, and the pictures of the land, of the bodies of players and of the atlas's creatures",
    ],
  },
  {
    says: "AssetImportResult: `removed` (only with `approve`); `vanished` array of strings (up to fifty) and `vanishedCount` on `needsReview`.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > asks for a review when picture keys have vanished, and changes nothing until an administrator approves",
      "imports/assets.test.ts > POST /admin/shard/assets/import > names fifty of the vanished keys in numeric order, and counts all of them",
    ],
  },
  {
    says: "AssetImportResult `code`: `DISABLED`, `NO_SOURCE`, `SHARD_DOWN`, `PROTOCOL`, `BUSY`, `NO_IMAGING`, `SOURCE_CHANGED`, `INCOMPLETE`, `STUCK`, `MALFORMED`, `TOO_LARGE`, `UNAVAILABLE`.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read",
    ],
  },
  {
    says: "ItemArtWarmResult: `status` one of `skipped`, `unavailable`, `unchanged`, `imported`, `failed`; `reason`; `code`; `catalog`; `wanted`; `held`; `asked` (bounded by `limit`); `fetched`; `written`; `absent`; `unsupported`; `remaining` (integers, nullable).",
    shownBy: [
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > fetches the pictures that the market shows, in their hues, and no picture twice",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > requests pictures in slices of 200 up to the limit, beginning with the pictures of the most listed items",
    ],
  },
  {
    says: "ItemArtWarmResult `code`: `DISABLED`, `NO_SOURCE`, `SHARD_DOWN`, `PROTOCOL`, `BUSY`, `NO_IMAGING`, `UNSUPPORTED`, `INCOMPLETE`, `STUCK`, `MALFORMED`, `TOO_LARGE`, `UNAVAILABLE`.",
    shownBy: [
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > answers %s for a fault (%#), and stores no picture of the request that failed",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > answers UNSUPPORTED without asking for pictures if the shard serves only pictures of bodies",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > answers DISABLED or NO_SOURCE without a call, depending on the settings of the link",
    ],
  },
  {
    says: "ShardLinkRequest: `code` string, required (the one-time code issued in game).",
    shownBy: [
      "shard/links.test.ts > POST /player/shard/link > links the account that the code belongs to, with or without white space around the code",
      "shard/links.test.ts > POST /player/shard/link > answers 400 to the code %j",
    ],
  },
  {
    says: "ShardLink: one linked game account of a user.",
    shownBy: [
      "shard/own-reads.test.ts > a list for the caller > contains, for %s under the player path, only the caller's own accounts",
    ],
  },
];
