import type { Statement } from "./statement.ts";

/** The contract's statements on public endpoints of shard and site, and on players' history. */
export const publicEndpoints: readonly Statement[] = [
  {
    says: "All `GET`, anonymous unless gated by the visibility configuration (403 when the feature is gated above the caller, 404 when it is disabled).",
    shownBy: [
      "shard/public-reads.test.ts > the visibility settings > make a route answer 403 to callers below the audience, and 404 to everyone if its feature is disabled",
      "shard/market.test.ts > the market's visibility > admits callers at or above the access level of the audience, for each audience",
    ],
  },
  {
    says: "`/public/shard/status`: ShardStatus.",
    routes: ["GET /public/shard/status"],
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > show the state of the shard",
    ],
  },
  {
    says: "`/public/shard/online`: array of OnlinePlayer (staff online).",
    deviation: "The list holds every linked character that is online, of users of any role.",
    reason:
      'The record says that accounts linked to a website user are listed; the words "(staff online)" of the table would leave out most of them.',
    routes: ["GET /public/shard/online"],
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > list only linked characters, with their places for moderators and admins",
    ],
  },
  {
    says: "`/public/shard/presence`: population aggregate object (count, per facet, per region).",
    routes: ["GET /public/shard/presence"],
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > count the characters in the world",
    ],
  },
  {
    says: "`/public/shard/houses`: array of ShardHouse (IDOC houses, coordinates only).",
    deviation: "A house also has its stage, name and region.",
    reason: "The record prints them as fields of a house, and they tell nothing of the owner.",
    routes: ["GET /public/shard/houses"],
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > list only houses in danger of collapsing, without their owners",
    ],
  },
  {
    says: "`/public/shard/points`: array of PointsBoard ordered by display name.",
    routes: ["GET /public/shard/points"],
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > order boards by literal name, then by cliloc, then by system",
    ],
  },
  {
    says: "`/public/shard/points/{system}`: PointsBoard; 400 malformed name; 404 the shard never published that system (a published board with nobody scoring returns 200 with empty `top`).",
    routes: ["GET /public/shard/points/:system"],
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > answer one board in full, and an empty board with an empty top",
      "shard/public-reads.test.ts > the public reads of a connected shard > answer 400 to a malformed key of a points system, and 404 to a key that was never published",
    ],
  },
  {
    says: "`/public/shard/ruleset`: object or `null` when never published.",
    routes: ["GET /public/shard/ruleset"],
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a connected shard > publish the rules of the world, and no other field",
      "shard/public-reads.test.ts > the public reads of a shard that was never linked > answer empty data without an error",
    ],
  },
  {
    says: "`/public/shard/market`: `q` (substring of resolved or literal name, max 60 chars), `minPrice`, `maxPrice`, `itemId`, `map` (an unknown facet returns an empty page), `region`.",
    routes: ["GET /public/shard/market"],
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > finds any part of a name in any case, and treats wildcards literally",
      "shard/market.test.ts > GET /public/shard/market > narrows the search by price, item, facet and region",
      "shard/market.test.ts > GET /public/shard/market > answers an empty page if nothing can match",
      "shard/market.test.ts > GET /public/shard/market > answers 400 to a parameter out of bounds, and names the parameter",
    ],
  },
  {
    says: "`/public/shard/market`: `sort` one of `price_asc` (default), `price_desc`, `recent`; `limit` 1-100 default 50; `offset` default 0.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > sorts by price in either direction and by the last change, with ties by serial",
      "shard/market.test.ts > a market without any events > is empty and answers without an error",
      "shard/market.test.ts > GET /public/shard/market > answers 400 to a parameter out of bounds, and names the parameter",
    ],
  },
  {
    says: "`/public/shard/market`: MarketPage; 403, 404, 429.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > answers a page of listings, cheapest first, with the exact total",
      "shard/market.test.ts > the market's visibility > admits callers at or above the access level of the audience, for each audience",
      "shard/market.test.ts > GET /public/shard/market > answers 429 with Retry-After to an address that searches too often",
    ],
  },
  {
    says: "`/public/shard/market/meta`: MarketMeta.",
    routes: ["GET /public/shard/market/meta"],
    shownBy: ["shard/market.test.ts > GET /public/shard/market/meta > counts only listed vendors"],
  },
  {
    says: "`/public/shard/market/vendors/{serial}`: `limit` 1-500 default 250, `offset` default 0; MarketVendor.",
    routes: ["GET /public/shard/market/vendors/:serial"],
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers the vendor with everything that it sells, also from containers, cheapest first",
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > returns at most 250 listings if no limit is given",
    ],
  },
  {
    says: "`/public/shard/market/vendors/{serial}`: 400 malformed serial; 404 unknown, dismissed or hidden vendor.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers 400 for an invalid serial and for a page out of bounds",
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers 404 for a vendor that is unknown, hidden, packed up or dismissed",
    ],
  },
  {
    says: "`/public/shard/stream`: Server-Sent Events, filtered by audience.",
    routes: ["GET /public/shard/stream"],
    shownBy: [
      "shard/stream.test.ts > GET /public/shard/stream > sends a stored event under its id, with its public fields only",
      "shard/stream.test.ts > GET /public/shard/stream > shows %s the data that this access level may see, and names the level",
    ],
  },
  {
    says: "`/public/wiki/categories`, `/public/wiki/tags`: mounted before `/public/wiki/:slug`; this is the only ordering-sensitive pair.",
    deviation:
      "Other routes share a form with one that has a parameter too; the router orders all of them by itself.",
    reason:
      "Additive routes such as `GET /admin/events/stream` stand beside `GET /admin/events/:id`.",
    routes: ["GET /public/wiki/categories", "GET /public/wiki/tags", "GET /public/wiki/:slug"],
    shownBy: [
      "http/conventions.test.ts > the order in which routes are matched > puts a literal part before a parameter wherever two paths differ",
      "http/conventions.test.ts > the order in which routes are matched > does not depend on the order of the route list",
      "http/conventions.test.ts > a request path > matches a literal route before a route with a parameter",
    ],
  },
  {
    says: "`/public/status`: PublicStatus including `status_message`.",
    routes: ["GET /public/status"],
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that was never linked > answer empty data without an error",
    ],
  },
  {
    says: "`/public/events`: announced event calendar.",
    routes: ["GET /public/events"],
    shownBy: [
      "events/announced.test.ts > GET /public/events > lists announced events by their next time, and events without a time last",
    ],
  },
  {
    says: "`/public/events/:slug`: query `run` (occurrence id); one announced event.",
    routes: ["GET /public/events/:slug"],
    shownBy: [
      "events/announced.test.ts > GET /public/events/:slug > shows an announced event as it was published, with its times",
      "events/announced.test.ts > GET /public/events/:slug > shows a public status of each run, and only the newest twenty runs in addition to the scheduled ones",
    ],
  },
  {
    says: "`/public/events/series/:slug`: a series.",
    routes: ["GET /public/events/series/:slug"],
    shownBy: [
      "events/announced.test.ts > GET /public/events/:slug > shows an announced event as it was published, with its times",
    ],
  },
  {
    says: "Market data is served from the service's own tables and works while the shard is down.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market > is served while the shard is down",
    ],
  },
  {
    says: "Remaining routes of the public group: posts 2, wiki 4 in total, pages 2, shard 12 in total, site 4.",
    routes: [
      "GET /public/posts",
      "GET /public/posts/:slug",
      "GET /public/wiki",
      "GET /public/pages",
      "GET /public/pages/:slug",
      "GET /public/shard/features",
      "GET /public/settings",
      "GET /public/feed",
      "GET /public/atlas",
    ],
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
      "http/manifest.test.ts > the route manifest > has as many routes in each group as the contract states",
    ],
  },
  {
    says: "`GET /player/events/history` (Auth): `limit` integer, `before` integer cursor (a non-integer or non-positive value is ignored and the first page is returned).",
    routes: ["GET /player/events/history"],
    shownBy: [
      "events/announced.test.ts > GET /player/events/history > pages through the caller's participations, without rehearsals and unlisted events",
    ],
  },
  {
    says: "`GET /player/events/history`: scoped to the caller only; rehearsals and unlisted events are absent.",
    shownBy: [
      "events/announced.test.ts > GET /player/events/history > pages through the caller's participations, without rehearsals and unlisted events",
    ],
  },
  {
    says: "`GET /player/events/history`: 500 with `{ message }` on internal failure.",
    shownBy: [
      "http/conventions.test.ts > a response > reveals no internal error message if the service fails",
    ],
  },
];
