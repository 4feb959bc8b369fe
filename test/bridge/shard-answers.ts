/** Example answers of a shard, with awkward values such as real shards send. */
export const page = {
  id: "p1",
  type: "Stuck",
  sender: { serial: "0x0000A001", name: "D'Artagnan" },
  message: "I fell into the (void)",
  location: { map: "Malas", x: 990, y: 527, z: -50, region: null },
  sentAt: 1,
  handler: null,
  responses: [{ by: "Aldor", message: "Coming", at: 2 }],
};

export const rosterLine = {
  serial: "0x0000A001",
  name: "D'Artagnan",
  race: "Human",
  female: false,
  guild: null,
  map: null,
  online: false,
  lastLogin: null,
};

export const vendor = {
  serial: "0x00012F3A",
  shopName: "Iron & Oak",
  location: { map: "Malas", x: 990, y: 527, z: -50, region: "Luna", house: null },
  gold: 4_000_000_000,
  chargePerDay: 600,
  items: 42,
};

export const sheet = {
  serial: "0x0000A001",
  name: "D'Artagnan",
  account: "maple",
  title: null,
  race: "Elf",
  female: true,
  stats: { str: 100, statCap: 225 },
  resists: { physical: 70, fire: -10 },
  skills: [{ name: "Swords", value: 1_000, cap: 1_200, lock: "Up" }],
  fame: -1,
  karma: -32_000,
  kills: 0,
  guild: "Iron Guard",
  virtues: { Humility: 0 },
  equipment: [{ layer: "Ring", itemId: 4_234, hue: 0, name: null, cliloc: 1_024_234 }],
};

export const region = {
  facet: "TerMur",
  name: null,
  type: null,
  parent: "Royal City",
  level: 1,
  priority: 50,
  rects: [{ x1: 1, y1: 2, z1: -128, x2: 3, y2: 4, z2: 128 }],
  go: null,
  entrance: { x: 1, y: 2, z: -5, map: "Felucca" },
  music: null,
  rune: null,
  guarded: true,
  housing: false,
  logoutDelay: true,
  minExpansion: null,
  maxExpansion: null,
  area: 4,
  key: "r1",
};

export const spawner = {
  facet: "Map8",
  key: "s1",
  name: "Spawner",
  x: 1,
  y: 2,
  z: -3,
  rect: null,
  homeRange: 5,
  walkRange: 5,
  count: 3,
  minDelaySec: 300,
  maxDelaySec: 600,
  running: true,
  region: null,
  entries: [
    {
      type: "Orc",
      typeKey: "orc",
      max: 3,
      probability: null,
      args: "{RND,4,8}",
      minDelaySec: null,
      maxDelaySec: 0.5,
    },
  ],
  source: "Spawns/termur.xml",
};
