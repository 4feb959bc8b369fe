/** Limits that the API's contract fixes and that no setting can change. */
export const limits = {
  /** Maximum bytes of a JSON request body. Routes that accept documents have their own limits. */
  bodyBytes: 256 * 1024,
  /** Maximum nesting of a JSON body or of a bridge frame's payload. */
  jsonDepth: 32,
  /** Maximum number of values in a JSON body. In a larger body, not every fault is reported. */
  formValues: 2_000,
  /** Number of characters of a new user name; `password` below is the same for a new password. */
  username: { min: 3, max: 32 },
  password: { min: 8, max: 1024 },
  /** Maximum characters of a device's name, at sign-in and at registration for push messages. */
  deviceName: 100,
  /** Maximum number of unexpired API tokens of the site. */
  apiTokens: 20,
  /** Maximum number of one user's devices that receive push messages. */
  pushDevices: 20,
  webhooks: 10,
  deliveryPage: { min: 1, max: 100, default: 50 },
  marketTerm: 60,
  marketMap: 64,
  marketRegion: 128,
  /** Maximum number of one user's saved market searches. Below: number of characters of a search's name. */
  marketSearches: 20,
  marketSearchName: { min: 1, max: 60 },
  marketPage: { min: 1, max: 100, default: 50 },
  /** Number of regions, spawners or creatures of the atlas per page. */
  atlasPage: { min: 1, max: 1000, default: 100 },
  rankingPage: { min: 1, max: 100, default: 25 },
  leaderboardPage: { min: 1, max: 100, default: 25 },
  feedPage: { min: 1, max: 100, default: 50 },
  wipePage: { min: 1, max: 100, default: 25 },
  serverEventPage: { min: 1, max: 100, default: 50 },
  clanPage: { min: 1, max: 100, default: 100 },
  grantPage: { min: 1, max: 200, default: 50 },
  /** Maximum characters of a permission's name on a survival server. Below: number of a group's permissions. */
  permissionNode: 128,
  groupPermissions: 500,
  /** Limits of a survival server's permission inventory, summed over all its pages. */
  inventory: { pages: 1_000, bytes: 32 * 1024 * 1024, entries: 200_000 },
  reportPage: { min: 1, max: 100, default: 50 },
  /** Characters of the note with which staff close a report of a player. */
  reportNote: { min: 1, max: 1000 },
  ledgerPage: { min: 1, max: 100, default: 50 },
  /** Maximum bytes of a request that contains a plugin's configuration as a JSON string. */
  configBodyBytes: 2 * 1024 * 1024,
  /**
   * Limits of the stored outcome of a configuration write: number of console lines, characters of a line, and
   * characters of the message.
   */
  logTail: { lines: 200, line: 4_000, message: 2_000 },
  /** Number of configuration writes per server that can be undone. */
  configsKept: 20,
  configWritePage: { min: 1, max: 100, default: 50 },
  /** Maximum number of NPC profiles. Below: of placements per server, of factions, and of stored revisions. */
  npcProfiles: 500,
  npcPlacements: 500,
  npcFactions: 64,
  npcRevisions: 100,
  vendorPage: { min: 1, max: 500, default: 250 },
  vendorSales: { min: 1, max: 500, default: 100 },
  auditEvents: { min: 1, max: 500, default: 50 },
  rejectedFrames: { min: 1, max: 1000, default: 100 },
  jobPage: { min: 1, max: 500, default: 100 },
  userPage: { min: 1, max: 100, default: 50 },
  activityPage: { min: 1, max: 100, default: 50 },
  announcedPage: { min: 1, max: 100, default: 50 },
  historyPage: { min: 1, max: 100, default: 50 },
  runPage: { min: 1, max: 100, default: 50 },
  runLog: { min: 1, max: 1000, default: 200 },
  appealReason: { min: 20, max: 4000 },
  appealMessage: { min: 2, max: 2000 },
  appealPage: { min: 1, max: 100, default: 50 },
  /** Maximum characters of a ban reason that the shard accepts. */
  banReason: 256,
  /** Number of item pictures that one request loads in advance. */
  itemArt: { min: 1, max: 2000, default: 500 },
  content: {
    title: 150,
    excerpt: 300,
    body: 100_000,
    slug: 80,
    tag: 40,
    tags: 10,
    category: 60,
    note: 200,
  },
  contentTerm: { min: 2, max: 60 },
  contentPage: { min: 1, max: 100, default: 50 },
  navOrder: { min: 0, max: 9999 },
} as const;
