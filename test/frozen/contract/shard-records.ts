import type { Statement } from "./statement.ts";

/** What the contract says of the records of the shard bridge. */
export const shardRecords: readonly Statement[] = [
  {
    says: "ShardStatus: `enabled` boolean; `status` string, one of `connected`, `reconnecting`, `disconnected`, `error`; `pluginConnected` boolean; `lastEventAt` date-time nullable; `onlineCount` integer; `economy` (EconomyPoint).",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that was never linked > answer what there is: nothing, and no error",
      "shard/public-reads.test.ts > the public reads of a shard that speaks > say how the shard stands",
      "shard/public-reads.test.ts > the public reads while the shard is away > go on answering from what is stored",
      "shard/shard-faults.test.ts > the state of the link > is error while the control plane refuses protocol or token, until a call succeeds",
    ],
  },
  {
    says: "EconomyPoint (nullable): `accounts` integer nullable; `gold` integer nullable; `t` integer epoch ms.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that speaks > say how the shard stands",
      "shard/public-reads.test.ts > the public reads of a shard that speaks > say when the shard last told its wealth, though it is the same",
    ],
  },
  {
    says: "ShardEvent: `id` integer; `kind` string; `t` epoch ms; `bootId` string nullable; `payload` object (the full event); `createdAt` date-time.",
    deviation:
      "A moderator reads the payload without account names and without fields that no kind declares.",
    reason: "`acct` is locked to administrators.",
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/audit > tells an administrator the whole events, newest first",
      "shard/staff-reads.test.ts > GET /admin/shard/audit > tells a moderator nothing of accounts, and nothing that no kind of ours declares",
    ],
  },
  {
    says: "OnlinePlayer (only accounts linked to a website user are listed): `serial`; `name`; `map` nullable string; `x`, `y`, `z` nullable integers. Location is visible to admin and moderator only.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that speaks > list linked characters alone, and where they stand to moderators and admins",
    ],
  },
  {
    says: "VendorSale (visible only to the linked owner): `t` epoch ms; `itemType` string; `amount` integer; `price` integer; `commission` integer nullable; `ownerAcct` string.",
    shownBy: [
      "shard/own-reads.test.ts > what %s tells of game accounts > tells %s of the sales of their own vendors alone",
    ],
  },
  {
    says: "ShardHouse: `serial`; `stage` string; `map` nullable; `x`, `y`, `z` nullable integers; `region` nullable; `name` nullable; `ownerSerial` nullable; `ownerAcct` nullable; `builtOn` date-time nullable; `lastRefreshed` date-time nullable; `isIdoc` boolean; `updatedAt` date-time.",
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/houses > tells an administrator all of every house, by name",
      "shard/own-reads.test.ts > what the lists tell > of a house to its owner: all of it",
    ],
  },
  {
    says: "The public view lists only houses at the IDOC stage with location.",
    deviation:
      "The public view leaves out `ownerSerial`, `ownerAcct`, `builtOn` and `lastRefreshed`.",
    reason: "They tell of the owner, whom the public view does not show.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that speaks > list houses in danger of collapsing alone, without their owners",
    ],
  },
  {
    says: "The staff view carries owner, price, co-owner and decay detail.",
    deviation: "`ownerAcct` is null for a moderator.",
    reason: "`acct` is locked to administrators.",
    shownBy: [
      "shard/staff-reads.test.ts > GET /admin/shard/houses > tells an administrator all of every house, by name",
      "shard/staff-reads.test.ts > GET /admin/shard/houses > tells a moderator all but whose game account it is",
    ],
  },
  {
    says: "PointsBoard: `system`; `nameString` nullable; `nameNumber` nullable (cliloc id, 0 when the name is literal); `maxPoints` nullable; `players` nullable; `showOnGump` boolean; `top`; `t` epoch ms nullable; `updatedAt` date-time.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that speaks > answer one board whole, and an empty one with an empty top",
      "shard/kinds.test.ts > what a payload becomes > gives a board with a literal name no cliloc",
    ],
  },
  {
    says: "PointsBoard `top`: array of `{ rank, serial, name, points }`, best first; `name` is omitted when the leaderboards `name` field is gated above the caller; empty when nobody has scored.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that speaks > answer one board whole, and an empty one with an empty top",
      "shard/public-reads.test.ts > visibility > leaves gated fields out of the answer",
    ],
  },
  {
    says: "MarketLocation (one nullable object; omitted entirely when the `market.location` field is gated above the caller): `map`, `x`, `y`, `z`, `region`, `house` (the house sign name; null outside a house).",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers a page of what is for sale, cheapest first, with the exact number of all",
      "shard/market.test.ts > the market's visibility > leaves a gated field out of every answer below its rung, at each rung",
    ],
  },
  {
    says: "MarketListing: `serial`; `itemId`; `hue`; `amount`; `price`; `name` nullable; `cliloc` nullable; `displayName` nullable; `child` boolean (priced by an enclosing container); `vendor`.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers a page of what is for sale, cheapest first, with the exact number of all",
    ],
  },
  {
    says: "`displayName` is resolved server-side from `name` first, else `cliloc`; null when no cliloc table is configured.",
    shownBy: [
      "shard/market.test.ts > names without a table of texts > are null until one is loaded, but for literal ones",
      "shard/market.test.ts > GET /public/shard/market > finds any part of a name in any case, and takes its characters as they are",
    ],
  },
  {
    says: "MarketListing `vendor`: `{ serial, shopName nullable, ownerSerial, ownerName, location, updatedAt }`; `ownerSerial` and `ownerName` are omitted when their fields are gated.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers a page of what is for sale, cheapest first, with the exact number of all",
      "shard/market.test.ts > the market's visibility > leaves a gated field out of every answer below its rung, at each rung",
    ],
  },
  {
    says: "MarketPage: `listings`; `total` (matches ignoring paging); `limit`; `offset`; `vendors` (vendors in the whole index); `staleAt` date-time nullable (oldest vendor row).",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers a page of what is for sale, cheapest first, with the exact number of all",
      "shard/market.test.ts > a market nobody has spoken of > is empty, and no error",
    ],
  },
  {
    says: "MarketVendor: `serial`; `shopName`; `ownerSerial`; `ownerName`; `location`; `count` (listings published); `total` (listings held); `truncated` (`total` exceeds `count`); `updatedAt`; `items`.",
    deviation: "`truncated` is what the shard says of its own list, whatever the numbers are.",
    reason:
      "The shard cuts its list before it sends it; a listing without a price is held, is not published, and was not cut.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers the vendor with all that it sells, children too, cheapest first",
    ],
  },
  {
    says: "MarketMeta: `vendors`; `items`; `staleAt` (oldest vendor row); `freshAt` (newest); `maps` (facets that actually hold vendors, from the shard's data); `regions`.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market/meta > tells of listed vendors alone",
      "shard/market.test.ts > GET /public/shard/market/meta > moves staleAt when the vendor that was heard of least lately is heard of again",
    ],
  },
  {
    says: "ShardFeatures (what the caller may reach; drives navigation so no link returns 403): `level` one of `anonymous`, `logged_in`, `player`, `staff`, `admin`; `features` array of feature names.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that speaks > say what each caller may reach",
      "shard/visibility.test.ts > reachableFeatures > lists what a rung reaches in the catalogue's order",
    ],
  },
  {
    says: "FeatureVisibility: `enabled` boolean; `audience` (minimum rung; each rung implies those below); `stream` boolean (whether the feature's event kinds fan out over the event stream); `fieldRules` object mapping a field name to a rung.",
    shownBy: [
      "shard/visibility.test.ts > visibilityConfig > answers the ladder, the locked fields, the defaults and what is in force",
      "shard/visibility.test.ts > accessTo > opens a feature from its audience upwards",
      "shard/projection.test.ts > projectEvent > carries nothing to anyone of a feature that %s",
    ],
  },
  {
    says: "`acct` and `webId` are locked to admin always and rejected in `fieldRules`.",
    shownBy: [
      "shard/public-reads.test.ts > visibility > refuses what it does not know, names it, and changes nothing",
      "shard/visibility.test.ts > checkVisibilityUpdate > refuses %s",
    ],
  },
  {
    says: "VisibilityConfig: `ladder`; `lockedFields` (`acct`, `webId`); `defaults` map feature name to FeatureVisibility (compiled defaults); `features` (defaults merged with stored overrides).",
    deviation: "The answer also carries `revision`.",
    reason:
      "A change may name the revision it is based on, and is refused where another administrator changed the rules since.",
    shownBy: [
      "shard/visibility.test.ts > visibilityConfig > answers the ladder, the locked fields, the defaults and what is in force",
    ],
  },
  {
    says: "VisibilityUpdate: required `features` map of feature name to (partial) FeatureVisibility.",
    shownBy: [
      "shard/visibility.test.ts > checkVisibilityUpdate > merges key by key into what is stored",
      "shard/visibility.test.ts > checkVisibilityUpdate > refuses %s",
    ],
  },
  {
    says: "AtlasStatus: reports the source (the linked shard over the bridge, or a local game-server tree), whether it is readable, drift against the loaded atlas, counts and a `pending` object.",
    shownBy: [
      "imports/atlas.test.ts > an import from a tree > shows in the status what is loaded, and the drift of a changed tree",
      "imports/linked.test.ts > an import over the link > takes the whole atlas, with the bodies of its creatures",
    ],
  },
  {
    says: "AtlasStatus `pending`: nullable; a parsed refresh that would remove a facet and was not applied; its `status` is `pending` or `rejected`.",
    shownBy: [
      "imports/atlas.test.ts > a refresh that would lose a facet > is staged and not applied",
      "imports/atlas.test.ts > a refresh that would lose a facet > is remembered when it is rejected, until the tree changes",
    ],
  },
  {
    says: "AtlasRefreshResult: `status` one of `skipped`, `unavailable`, `unchanged`, `imported`, `needsReview`, `failed`, `rejected`, `none`; `reason` nullable; `source` `bridge` or `fs`; `path` nullable; `code` nullable; `counts` nullable; `addedFacets`; `removedFacets`.",
    deviation: "`skipped` is never answered.",
    reason:
      "A second request with the same flags joins the running import; one with other flags is answered `unavailable`, `BUSY`.",
    shownBy: [
      "imports/atlas.test.ts > an import from a tree > says exactly what it read, and that it is unchanged the next time",
      "imports/atlas.test.ts > a refresh that would lose a facet > is remembered when it is rejected, until the tree changes",
      "imports/atlas.test.ts > a refresh that would lose a facet > has nothing to approve or reject when none is staged",
      "imports/machinery.test.ts > asking for an import > joins the run that is there with the same flags, and is refused with others",
    ],
  },
  {
    says: "AtlasRefreshResult `code` on `unavailable`: `NO_PATH`, `NOT_FOUND`, `NO_REGIONS`, `NO_SPAWNS` from a local tree.",
    deviation:
      "A local tree is also answered with `MALFORMED` and `TOO_LARGE`, which the contract prints for the bridge.",
    reason: "A file of a tree can be damaged or too large as a page of the bridge can.",
    shownBy: [
      "imports/atlas.test.ts > a tree that cannot be read > answers 200 and unavailable: %s",
      "imports/atlas.test.ts > a tree that cannot be read > tells a path that is absent, a file or blank apart",
    ],
  },
  {
    says: "AtlasRefreshResult `code` on `unavailable`: `DISABLED`, `SOURCE_CHANGED`, `INCOMPLETE`, `MALFORMED`, `BUSY`, `SHARD_DOWN`, `TOO_LARGE` from the bridge.",
    shownBy: [
      "imports/linked.test.ts > a walk that is not good",
      "imports/linked.test.ts > a link that gives no source",
    ],
  },
  {
    says: "ClilocStatus: `source` `bridge` or `file`; `configured`; `path`; `file` nullable; `fileReadable`; `problem` nullable; `code` nullable; `shard` nullable; `drift` nullable; `count`; `sources`; `loadedSources` nullable; `missingSources`; `importedAt` nullable; `sourceBytes` nullable.",
    shownBy: [
      "imports/clilocs.test.ts > the routes of the texts > show in the status what is loaded",
      "imports/linked.test.ts > a path of texts while a shard is linked > has no effect, which the status says",
    ],
  },
  {
    says: "ClilocStatus `code`: one of `NO_PATH`, `NOT_FOUND`, `NO_FILE`, `UNREADABLE`, `COMPRESSED`, `DISABLED`, `NO_SOURCE`, `SHARD_DOWN`, `PROTOCOL`, `BUSY`, `UNAVAILABLE`.",
    shownBy: [
      "imports/clilocs.test.ts > files that cannot be read > answer 200 and unavailable: %s",
      "imports/clilocs.test.ts > files that cannot be read > tell a path that is absent, not set, or without the file apart",
      "imports/linked.test.ts > a walk that is not good > tells in the status of texts what is wrong with the source",
    ],
  },
  {
    says: "ClilocStatus `sources`: root-relative, base first then overlays in merge order; `loadedSources`: `{ label, kind (shard|base|custom), entries, added, overrode }`.",
    shownBy: [
      "imports/clilocs.test.ts > an import from files > merges overlays in byte-wise order over the base, and replaces the whole table",
      "imports/clilocs.test.ts > the routes of the texts > show in the status what is loaded",
    ],
  },
  {
    says: "ClilocRefreshResult: `status` one of `skipped`, `unavailable`, `unchanged`, `imported`, `needsReview`, `failed`; `reason`; `source`; `code`; `path`; `file`; `count`; `parsed`; `blank`; `overlayProblem`; `sources`.",
    deviation: "`skipped` is never answered, here and by every other import.",
    reason: "A second request joins the running import.",
    shownBy: [
      "imports/machinery.test.ts > asking for an import > joins the run that is there with the same flags, and is refused with others",
      "imports/clilocs.test.ts > an import from files > says exactly what it read, stores it, and is unchanged the next time",
      "imports/clilocs.test.ts > an import from files > goes on without an overlay that cannot be read, and says so",
    ],
  },
  {
    says: "ClilocRefreshResult: `pages`, `reported` and `received` (bridge only; disagreement means a wrong walk).",
    shownBy: [
      "imports/linked.test.ts > an import over the link > takes the whole table of texts, and says how the walk went",
    ],
  },
  {
    says: "ClilocRefreshResult: `missingSources` (on `needsReview`); `acceptedMissing` (on `imported` with `approve`).",
    shownBy: [
      "imports/clilocs.test.ts > an import from files > asks before the texts of a vanished file are lost",
    ],
  },
  {
    says: "ClilocRefreshResult `code`: the ClilocStatus codes plus `TRUNCATED`, `EMPTY`, `NOT_BUFFER`, `SOURCE_CHANGED`, `INCOMPLETE`, `STUCK`, `MALFORMED`, `TOO_LARGE`.",
    deviation: "`NOT_BUFFER` is never answered.",
    reason:
      "It tells of a file that was read as something other than bytes, which cannot happen here.",
    shownBy: [
      "imports/cliloc-formats.test.ts > the client's plain table > is refused when it %s",
      "imports/linked.test.ts > a walk that is not good",
      "imports/clilocs.test.ts > files that cannot be read > answer 200 and unavailable: %s",
    ],
  },
  {
    says: "AssetStatus: `loaded` `{ assets, stored, creatures, resolved, catalog nullable, extractorVersion nullable, importedAt nullable, items, land }`; `shard` nullable `{ files, extractorVersion, hashing, complete, imaging, families }`; `drift` nullable; `reason` nullable; `code` nullable.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > loads the catalogue, the land, and the bodies of players and of the atlas's creatures",
      "imports/assets.test.ts > POST /admin/shard/assets/import > says before the first import that there is something to import",
    ],
  },
  {
    says: "AssetStatus `code`: one of `DISABLED`, `NO_SOURCE`, `SHARD_DOWN`, `PROTOCOL`, `BUSY`, `NO_IMAGING`, `SOURCE_CHANGED`, `UNAVAILABLE`.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers BUSY while the shard is hashing, and says so in the status",
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers %s for %j of the manifest",
    ],
  },
  {
    says: "AssetImportResult: `status`; `reason`; `code`; `catalog`; `extractorVersion`; `assets`; `fetched`; `written`; `absent`; `unsupported`; `scanned`; `pages`; `playerBodies`; `bodies` `{ asked, answered, resolved, tally { ok, unknown, notCreature, failed }, reason }`; `art` `{ applied, derived, operator, error }`.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > loads the catalogue, the land, and the bodies of players and of the atlas's creatures",
    ],
  },
  {
    says: "AssetImportResult: `removed` (only with `approve`); `vanished` array of strings (up to fifty) and `vanishedCount` on `needsReview`.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import > brings keys that are gone before an administrator, and applies nothing until approved",
      "imports/assets.test.ts > POST /admin/shard/assets/import > names fifty of the keys that are gone and counts all, in the order of their numbers",
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
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > fetches what the market shows, hued things in their hue, and nothing twice",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > asks in slices of 200 up to the limit, for what most listings show first",
    ],
  },
  {
    says: "ItemArtWarmResult `code`: `DISABLED`, `NO_SOURCE`, `SHARD_DOWN`, `PROTOCOL`, `BUSY`, `NO_IMAGING`, `UNSUPPORTED`, `INCOMPLETE`, `STUCK`, `MALFORMED`, `TOO_LARGE`, `UNAVAILABLE`.",
    shownBy: [
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > answers %s for a fault (%#), and shows nothing of that slice",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > answers UNSUPPORTED for a shard that serves bodies alone, without asking for pictures",
      "imports/item-art.test.ts > POST /admin/shard/assets/warm > answers DISABLED or NO_SOURCE without a call, as the link is set",
    ],
  },
  {
    says: "ShardLinkRequest: `code` string, required (the one-time code issued in game).",
    shownBy: [
      "shard/links.test.ts > POST /player/shard/link > links the account whose player holds the code, white space around it or not",
      "shard/links.test.ts > POST /player/shard/link > answers 400 to the code %j",
    ],
  },
  {
    says: "ShardLink: one linked game account of a user.",
    shownBy: [
      "shard/own-reads.test.ts > what the lists tell > of accounts to %s on the path of players: their own",
    ],
  },
];
