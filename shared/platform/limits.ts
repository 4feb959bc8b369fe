/** The numbers of the contract's Limits table and of its rules for bodies that nobody configures. */
export const limits = {
  /** Bytes of a JSON request body; routes that take documents say their own. */
  bodyBytes: 256 * 1024,
  /** Nesting of a JSON body or of a bridge frame's payload. */
  jsonDepth: 32,
  /** Values of a JSON body, at all depths, of which every fault is told. */
  formValues: 2_000,
  /** Characters of a user name, and of a password, that somebody chooses. */
  username: { min: 3, max: 32 },
  password: { min: 8, max: 1024 },
  /** Characters of what a device is called, at sign-in and where it registers for push messages. */
  deviceName: 100,
  /** API tokens of the site that live at once. */
  apiTokens: 20,
  /** Devices of one user that push messages reach. */
  pushDevices: 20,
  webhooks: 10,
  deliveryPage: { min: 1, max: 100, default: 50 },
  /** Characters of what the market is searched for. */
  marketTerm: 60,
  /** Characters of a facet's and a region's name that it is searched by. */
  marketMap: 64,
  marketRegion: 128,
  /** Market searches that one user keeps, and characters of what they are called. */
  marketSearches: 20,
  marketSearchName: { min: 1, max: 60 },
  marketPage: { min: 1, max: 100, default: 50 },
  /** Regions, spawners and creatures of the atlas. */
  atlasPage: { min: 1, max: 1000, default: 100 },
  rankingPage: { min: 1, max: 100, default: 25 },
  leaderboardPage: { min: 1, max: 100, default: 25 },
  feedPage: { min: 1, max: 100, default: 50 },
  wipePage: { min: 1, max: 100, default: 25 },
  /** What staff read of the events of a survival server. */
  serverEventPage: { min: 1, max: 100, default: 50 },
  clanPage: { min: 1, max: 100, default: 100 },
  grantPage: { min: 1, max: 200, default: 50 },
  /** Characters of a permission of survival servers, and how many a group has. */
  permissionNode: 128,
  groupPermissions: 500,
  /** What a survival server says that its players may do: all pages of it together. */
  inventory: { pages: 1_000, bytes: 32 * 1024 * 1024, entries: 200_000 },
  ledgerPage: { min: 1, max: 100, default: 50 },
  /** Bytes of a request that holds a plugin's configuration, quoted as JSON has it. */
  configBodyBytes: 2 * 1024 * 1024,
  /** Of what a plugin's console said when it loaded its configuration: lines, and characters that are kept. */
  logTail: { lines: 200, line: 4_000, message: 2_000 },
  /** Writes of a server's configurations that can be taken back. */
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
  /** Events that a user took part in. */
  historyPage: { min: 1, max: 100, default: 50 },
  runPage: { min: 1, max: 100, default: 50 },
  runLog: { min: 1, max: 1000, default: 200 },
  /** Characters of an appeal, and of what is said of it. */
  appealReason: { min: 20, max: 4000 },
  appealMessage: { min: 2, max: 2000 },
  appealPage: { min: 1, max: 100, default: 50 },
  /** Characters of a reason that the shard takes with a ban. */
  banReason: 256,
  /** Pictures of items that one warming asks for. */
  itemArt: { min: 1, max: 2000, default: 500 },
  /** Characters of texts that editors write. */
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
  /** Characters of what content is searched for. */
  contentTerm: { min: 2, max: 60 },
  contentPage: { min: 1, max: 100, default: 50 },
  /** A page's place in the navigation. */
  navOrder: { min: 0, max: 9999 },
} as const;
