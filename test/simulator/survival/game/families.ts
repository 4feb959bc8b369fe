import type { Payload } from "../../stream/event.ts";
import type { SurvivalGame } from "./game.ts";
import {
  clanBoard,
  clanRoster,
  mapInfo,
  npcPlacements,
  playersOnline,
  tallyPages,
} from "./states.ts";

/** The families of states that can be sent again completely. */
export const families = [
  "server",
  "players",
  "tallies",
  "clans",
  "map",
  "permissions",
  "npcs",
] as const;
export type Family = (typeof families)[number];

export const isFamily = (name: string): name is Family =>
  (families as readonly string[]).includes(name);

type FamilyEvent = readonly [kind: string, payload: Payload];

/** CATALOGUE of functions that return a family's events. */
const told: Readonly<Record<Family, (game: SurvivalGame) => FamilyEvent[]>> = {
  server: (game) => [
    ["server.hello", game.helloFacts()],
    ["server.status", game.statusFacts()],
  ],
  players: ({ world }) => [["player.online", playersOnline(world)]],
  tallies: ({ world }) =>
    tallyPages(world, [...world.save.tallies.keys()]).map((page) => ["player.tally", page]),
  clans: ({ world, now }) => [
    ["clan.board", clanBoard(world, now())],
    ...[...world.save.clans.clans.values()].map((clan): FamilyEvent => [
      "clan.roster",
      clanRoster(world, clan),
    ]),
  ],
  map: ({ world }) => [["map.info", mapInfo(world)]],
  permissions: (game) => game.inventory().map((page): FamilyEvent => ["perm.inventory", page]),
  npcs: ({ world }) => [["npc.placements", npcPlacements(world)]],
};

/** Returns the present state of a family, as events. */
export const familyFrames = (game: SurvivalGame, family: Family): FamilyEvent[] =>
  told[family](game);
