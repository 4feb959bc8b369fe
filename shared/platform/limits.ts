/** The limits that the API's contract fixes and nobody configures. */
export const limits = {
  /** Bytes of a JSON request body. Routes that accept documents have their own limits. */
  bodyBytes: 256 * 1024,
  /** Nesting depth of a JSON body or of a bridge frame's payload. */
  jsonDepth: 32,
  /** Values in a JSON body, at all depths. In a larger body, not every fault is reported. */
  formValues: 2_000,
  /** Characters of a new user name. `password` below: characters of a new password. */
  username: { min: 3, max: 32 },
  password: { min: 8, max: 1024 },
  /** Characters of a device's name, at sign-in and at registration for push messages. */
  deviceName: 100,
  /** Unexpired API tokens of the site. */
  apiTokens: 20,
  /** Devices of one user that receive push messages. */
  pushDevices: 20,
  webhooks: 10,
  deliveryPage: { min: 1, max: 100, default: 50 },
  marketTerm: 60,
  marketMap: 64,
  marketRegion: 128,
  /** Saved market searches of one user, and characters of their names. */
  marketSearches: 20,
  marketSearchName: { min: 1, max: 60 },
  marketPage: { min: 1, max: 100, default: 50 },
  /** Regions, spawners and creatures of the atlas. */
  atlasPage: { min: 1, max: 1000, default: 100 },
  rankingPage: { min: 1, max: 100, default: 25 },
  leaderboardPage: { min: 1, max: 100, default: 25 },
  feedPage: { min: 1, max: 100, default: 50 },
  wipePage: { min: 1, max: 100, default: 25 },
  serverEventPage: { min: 1, max: 100, default: 50 },
  clanPage: { min: 1, max: 100, default: 100 },
  grantPage: { min: 1, max: 200, default: 50 },
  /** Characters of a survival server's permission, and permissions of a group. */
  permissionNode: 128,
  groupPermissions: 500,
  /** The permission inventory of a survival server: the sum of all its pages. */
  inventory: { pages: 1_000, bytes: 32 * 1024 * 1024, entries: 200_000 },
  ledgerPage: { min: 1, max: 100, default: 50 },
  /** Bytes of a request with a plugin's configuration as a JSON string. */
  configBodyBytes: 2 * 1024 * 1024,
  /** Console output of a plugin that loads its configuration: lines, characters of a line, of a message. */
  logTail: { lines: 200, line: 4_000, message: 2_000 },
  /** Writes of a server's configurations that can be undone. */
  configsKept: 20,
  configWritePage: { min: 1, max: 100, default: 50 },
  /** NPC profiles of the site, placements of a survival server, factions, and revisions shown. */
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
  /** Characters of a ban reason that the shard accepts. */
  banReason: 256,
  /** Item pictures that one warming requests. */
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
