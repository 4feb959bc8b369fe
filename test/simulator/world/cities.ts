import type { RandomSource } from "../random.ts";
import type { Character } from "./people.ts";

const cityNames = [
  "Moonglow",
  "Britain",
  "Jhelom",
  "Yew",
  "Minoc",
  "Trinsic",
  "SkaraBrae",
  "NewMagincia",
  "Vesper",
] as const;

export interface City {
  readonly name: string;
  governor: Character | null;
  phase: "idle" | "nomination" | "voting" | "ended";
  readonly candidates: Map<Character, number>;
}

export const createCities = (people: readonly Character[], random: RandomSource): City[] =>
  cityNames.map((name, index) => ({
    name,
    governor: index % 4 === 3 ? null : random.pick(people),
    phase: "idle",
    candidates: new Map(),
  }));

export const governorRow = (city: City): Record<string, unknown> => ({
  city: city.name,
  governor: city.governor && {
    serial: city.governor.serial,
    name: city.governor.name,
    acct: city.governor.account.name,
  },
});
