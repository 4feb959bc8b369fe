import { governorRow } from "./cities.ts";
import { guildRow } from "./guilds.ts";
import { houseRow } from "./houses.ts";
import { boardRow } from "./points.ts";
import { vendorRow } from "./vendors.ts";
import type { ShardWorld } from "./world.ts";

export const families = ["market", "house", "guild", "governor", "points"] as const;
export type Family = (typeof families)[number];

type Row = Record<string, unknown>;

const rowsOf: Record<Family, (world: ShardWorld, now: number) => Row[]> = {
  market: (world) => world.vendors.values().map(vendorRow),
  house: (world) => world.houses.values().map(houseRow),
  guild: (world) => world.guilds.values().map(guildRow),
  governor: (world) => world.cities.values().map(governorRow),
  points: (world, now) => world.boards.values().map((board) => boardRow(board, now)),
};

/** Returns the present rows of a family, in the format of its upsert events. */
export const familyRows = (world: ShardWorld, family: Family, now: number): Row[] =>
  rowsOf[family](world, now);

export const isFamily = (name: unknown): name is Family =>
  (families as readonly unknown[]).includes(name);
