const best = "76561198000000007";

/**
 * CATALOGUE of requests: for each list the first page, a late page and a filter, and the largest
 * single object.
 */
export const largeRequests: readonly string[] = [
  "/public/posts?limit=50",
  "/public/posts?limit=50&offset=4900",
  "/public/posts?limit=50&tag=tag-7",
  "/public/posts?limit=50&q=Post",
  "/public/posts/post-7",
  "/public/wiki?limit=50",
  "/public/wiki?limit=50&offset=19900",
  "/public/wiki?limit=50&category=category-7",
  "/public/wiki?limit=50&tag=tag-7",
  "/public/wiki/page-7",
  "/public/wiki/categories",
  "/public/wiki/tags",
  "/public/pages",
  "/public/pages/about-7",
  "/public/search?q=bank",
  "/public/search?q=bank&offset=20000",
  "/public/search?q=britian",
  "/public/search?q=page+7",
  "/public/feed",
  "/public/settings",
  "/public/status",
  "/public/events?limit=50",
  "/public/events/event-7",
  "/public/events/series/a-series",
  "/public/events.ics",
  "/public/shard/features",
  "/public/shard/status",
  "/public/shard/online",
  "/public/shard/presence",
  "/public/shard/ruleset",
  "/public/shard/houses",
  "/public/shard/points",
  "/public/shard/points/Board7",
  "/public/shard/market?limit=50",
  "/public/shard/market?limit=50&offset=900000",
  "/public/shard/market?limit=50&sort=price_desc&offset=900000",
  "/public/shard/market?limit=50&sort=recent&offset=500000",
  "/public/shard/market?limit=50&minPrice=100&maxPrice=5000",
  "/public/shard/market?limit=50&minPrice=100&maxPrice=5000&offset=300000",
  "/public/shard/market?limit=50&q=katana",
  "/public/shard/market?limit=50&q=number+77",
  "/public/shard/market?limit=50&q=katana&minPrice=100&maxPrice=5000",
  "/public/shard/market?limit=50&itemId=3001",
  "/public/shard/market?limit=50&map=Malas",
  "/public/shard/market?limit=50&sort=recent",
  "/public/shard/market/meta",
  "/public/shard/market/vendors/0x00000007",
  "/public/atlas",
  "/public/atlas?facet=Felucca&limit=100",
  "/public/atlas?facet=Felucca&limit=100&offset=9000",
  "/public/atlas?facet=Felucca&limit=1000&offset=9000",
  "/public/atlas?facet=Felucca&q=thing7",
  "/public/atlas?facet=Felucca&q=thing&limit=1000",
  "/public/atlas?facet=Felucca&bbox=0,0,3000,3000",
  "/public/survival/servers",
  "/public/survival/servers/1",
  "/public/survival/servers/1/feed?limit=100",
  "/public/survival/servers/1/feed?limit=100&kinds=survival.npc.died",
  "/public/survival/servers/1/feed?limit=100&before=1000",
  "/public/survival/servers/1/online",
  "/public/survival/servers/1/wipes?limit=100",
  "/public/survival/servers/1/map",
  "/public/survival/servers/1/map/live",
  "/public/survival/servers/1/clans",
  "/public/survival/servers/1/clans?limit=100&offset=1900",
  "/public/survival/clans/1-7-7",
  ...["current", "all", "1"].flatMap((wipe) =>
    [0, 50_000, 99_800].map(
      (offset) =>
        `/public/survival/servers/1/leaderboard?wipe=${wipe}&stat=playtime&limit=100&offset=${offset}`,
    ),
  ),
  "/public/survival/servers/1/leaderboard?wipe=all&stat=pvpKillDistance",
  ...["", "?wipe=current", "?server=1", "?server=1&wipe=current", "?wipe=1"].flatMap((scope) =>
    ["76561198000099500", best].map((steamId) => `/public/survival/players/${steamId}${scope}`),
  ),
  `/public/survival/players/${best}/profiles`,
  "/public/survival/profiles",
  "/public/survival/profiles?server=1&wipe=current",
  "/public/survival/profiles/boss-1/ranking?limit=100",
  "/public/survival/profiles/boss-1/ranking?limit=100&offset=99800",
  "/auth/providers",
];

interface Excess {
  /** The allowed number of rows and pages, as a multiple of the limit. */
  readonly times: number;
  readonly because: string;
}

const ofHits =
  "counts exactly the texts that hold a word, which all 25,000 do: an index tells no row's audience";

/** CATALOGUE of requests that read more rows or pages than `limit` allows. Add no others. */
export const readsMore: Readonly<Record<string, Excess | undefined>> = {
  "/public/search?q=bank": { times: 2, because: ofHits },
  "/public/search?q=bank&offset=20000": { times: 2, because: ofHits },
  "/public/search?q=britian": { times: 2, because: ofHits },
  "/public/shard/market?limit=50&q=katana&minPrice=100&maxPrice=5000": {
    times: 60,
    because: "counts exactly what matches a common term within a range of prices",
  },
};

/** CATALOGUE of anonymous reads that this test leaves out, by reason. */
export const notAsked: Readonly<Record<string, string>> = {
  "/.well-known/assetlinks.json": "comes from the configuration",
  "/api/docs": "is a file",
  "/api/docs.json": "is a file",
  "/api/docs/bridge": "is made of catalogs",
  "/api/docs/bridge.json": "is made of catalogs",
  "/api/v1/auth/invite/:token": "is one row by its key",
  "/api/v1/auth/mobile/sso/start": "asks another site",
  "/api/v1/auth/password/reset/:token": "is one row by its key",
  "/api/v1/auth/sso/:provider/callback": "asks another site",
  "/api/v1/auth/sso/:provider/start": "asks another site",
  "/api/v1/public/assets/:key": "is one row by its key",
  "/api/v1/public/assets/by-hash/:hash": "is one row by its key",
  "/api/v1/public/shard/stream": "is a stream; `http/paged-reads` counts what it reads",
  "/api/v1/public/survival/servers/:id/map/image": "is one row by its key",
  "/api/v1/public/survival/servers/:id/stream":
    "is a stream, which reads the same rows as the feed and the other routes of the server",
};
