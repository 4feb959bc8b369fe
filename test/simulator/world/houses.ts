import type { RandomSource } from "../random.ts";
import { houseName } from "./names.ts";
import type { Character } from "./people.ts";
import { pickWildernessPlace } from "./places.ts";
import type { Place } from "./places.ts";
import type { Serials } from "./serials.ts";

/** The stages in which a house decays if nobody refreshes it, in order. */
export const stages = [
  "LikeNew",
  "Slightly",
  "Somewhat",
  "Fairly",
  "Greatly",
  "IDOC",
  "Collapsed",
] as const;
export type Stage = "Ageless" | (typeof stages)[number] | "DemolitionPending";

export interface House {
  readonly serial: string;
  stage: Stage;
  readonly place: Place;
  readonly name: string | null;
  owner: Character | null;
  readonly builtOn: number;
  lastRefreshed: number;
  lastTraded: number | null;
  readonly price: number;
  readonly coOwners: number;
  readonly public: boolean;
  nextStageAt: number | null;
  readonly type: string;
}

const hourMs = 3_600_000;
const types = ["TwoStoryVilla", "Castle", "HouseFoundation", "SmallOldHouse", "Tower", "LogCabin"];

export interface HouseOptions {
  readonly random: RandomSource;
  readonly serials: Serials;
  readonly now: number;
  readonly owner: Character | null;
  readonly index: number;
}

/**
 * Creates a house. The first houses of a world are in different stages, so that a small world has
 * all stages.
 */
export function createHouse(options: HouseOptions): House {
  const { random, serials, now, index } = options;
  const stage = [...stages.slice(0, 6), "DemolitionPending" as const][index] ?? usualStage(random);
  const builtOn = now - random.int(1, 2_000) * 24 * hourMs;
  return {
    serial: serials.item(),
    stage,
    place: pickWildernessPlace(random),
    name: houseName(index, random),
    owner: options.owner,
    builtOn,
    lastRefreshed: stage === "Ageless" ? now : now - random.int(1, 96) * hourMs,
    lastTraded: random.chance(0.2) ? now - random.int(1, 700) * 24 * hourMs : null,
    price: random.chance(0.9) ? 0 : random.int(1, 175_000_000),
    coOwners: random.chance(0.6) ? 0 : random.int(1, 15),
    public: random.chance(0.3),
    nextStageAt: nextStageAt(stage, now, random),
    type: random.pick(types),
  };
}

function usualStage(random: RandomSource): Stage {
  const draw = random.next();
  if (draw < 0.35) return "Ageless";
  if (draw < 0.75) return "LikeNew";
  return random.pick(stages.slice(1, draw < 0.98 ? 5 : 6));
}

/**
 * Returns the time at which a house leaves its stage: after an hour if it is like new, after half a
 * day to a day in the last stage, otherwise after one or two days.
 * @returns null if the stage has no end
 */
export function nextStageAt(stage: Stage, now: number, random: RandomSource): number | null {
  if (stage === "Ageless" || stage === "Collapsed" || stage === "DemolitionPending") return null;
  if (stage === "LikeNew") return now + hourMs;
  return now + (stage === "IDOC" ? random.int(12, 24) : random.int(24, 48)) * hourMs;
}

function decayType(house: House): string {
  if (house.stage === "Ageless") return "Ageless";
  return house.owner === null ? "Condemned" : "ManualRefresh";
}

/** Returns the text on the sign of a house. A house without a name has a sign too. */
export const signOf = ({ name }: House): string => name ?? "An Unnamed House";

export const houseRow = (house: House): Record<string, unknown> => ({
  serial: house.serial,
  stage: house.stage,
  ...house.place,
  name: house.name,
  ownerSerial: house.owner?.serial ?? null,
  ownerAcct: house.owner?.account.name ?? null,
  builtOn: house.builtOn,
  lastRefreshed: house.lastRefreshed,
  price: house.price,
  coOwners: house.coOwners,
  public: house.public,
  decayType: decayType(house),
  nextStageAt: house.nextStageAt,
  lastTraded: house.lastTraded,
  type: house.type,
});
