import type { RandomSource } from "../random.ts";
import { characterName } from "./names.ts";
import { nowhere, pickRandomPlace } from "./places.ts";
import type { Place } from "./places.ts";
import type { Serials } from "./serials.ts";
import { skillNames } from "./skills.ts";

const staffLevels = ["Counselor", "GameMaster", "Seer", "Administrator", "Owner"] as const;
export type Access = "Player" | "VIP" | (typeof staffLevels)[number];

export interface Account {
  readonly name: string;
  readonly access: Access;
  readonly createdAt: number;
  readonly ip: string;
  lastLogin: number | null;
  gold: number;
  /** The ban of the account. It lasts forever if `until` is null. */
  ban: { readonly until: number | null; readonly reason: string } | null;
  readonly characters: Character[];
}

export interface Character {
  readonly serial: string;
  readonly account: Account;
  name: string;
  readonly race: "Human" | "Elf" | "Gargoyle";
  readonly female: boolean;
  place: Place;
  guildId: number | null;
  onlineSince: number | null;
  lastLogin: number | null;
  fame: number;
  karma: number;
  kills: number;
  statCap: number;
  readonly stats: { readonly str: number; readonly dex: number; readonly int: number };
  /** Skill values in tenths. A skill that is absent was never trained. */
  readonly skills: Map<string, number>;
}

export const isStaffAccount = (account: Account): boolean =>
  (staffLevels as readonly string[]).includes(account.access);

const staffAccounts: readonly (readonly [string, Access])[] = [
  ["gm_aldor", "GameMaster"],
  ["counselor_bea", "Counselor"],
  ["Owner", "Owner"],
];

const dayMs = 86_400_000;

export interface PeopleOptions {
  readonly random: RandomSource;
  readonly serials: Serials;
  readonly now: number;
  readonly accounts: number;
}

/**
 * Creates the accounts: first those of staff, then `maple`, then the others. Some have no
 * characters.
 */
export function createPeople(options: PeopleOptions): Account[] {
  const { random, serials, now } = options;
  let named = 0;
  return Array.from({ length: options.accounts }, (_, index) => {
    const [name, access] = accountName(index, random);
    const account = createAccount({ name, access, random, createdAt: now - age(random) });
    const slots = index >= staffAccounts.length + 2 && random.chance(0.04) ? 0 : slotsOf(random);
    for (let slot = 0; slot < slots; slot++) {
      account.characters.push(createCharacter(account, serials, random, named++));
    }
    account.lastLogin = slots === 0 ? null : now - random.int(0, 40 * dayMs);
    return account;
  });
}

const age = (random: RandomSource): number => random.int(1, 900) * dayMs;
const slotsOf = (random: RandomSource): number => (random.chance(0.6) ? 1 : random.int(2, 7));

function accountName(index: number, random: RandomSource): readonly [string, Access] {
  const staff = staffAccounts[index];
  if (staff) return staff;
  if (index === staffAccounts.length) return ["maple", "Player"];
  if (index === staffAccounts.length + 1) return ["O'Neil_77", "VIP"];
  return [`${random.pick(["oak", "elm", "Ash", "birch", "Pine"])}${index}`, "Player"];
}

export function createAccount(given: {
  readonly name: string;
  readonly access: Access;
  readonly random: RandomSource;
  readonly createdAt: number;
}): Account {
  const { name, access, random, createdAt } = given;
  return {
    name,
    access,
    createdAt,
    ip: `203.0.113.${random.int(1, 254)}`,
    lastLogin: null,
    gold: random.logNormal(2_000_000, 2.5),
    ban: null,
    characters: [],
  };
}

export function createCharacter(
  account: Account,
  serials: Serials,
  random: RandomSource,
  index: number,
): Character {
  return {
    serial: serials.mobile(),
    account,
    name: characterName(index, random),
    race: random.pick(["Human", "Human", "Elf", "Gargoyle"] as const),
    female: random.chance(0.45),
    place: nowhere,
    guildId: null,
    onlineSince: null,
    lastLogin: account.lastLogin,
    fame: random.int(0, 32_000),
    karma: random.int(-32_000, 32_000),
    kills: random.chance(0.1) ? random.int(1, 200) : 0,
    statCap: 225,
    stats: { str: random.int(10, 125), dex: random.int(10, 125), int: random.int(10, 125) },
    skills: trainedSkills(random),
  };
}

function trainedSkills(random: RandomSource): Map<string, number> {
  const trained = new Map<string, number>();
  for (let count = 0; count < 7; count++) {
    trained.set(random.pick(skillNames), random.int(300, 1_200));
  }
  return trained;
}

/** Brings a character online, at a random place. */
export function bringCharacterOnline(
  character: Character,
  now: number,
  random: RandomSource,
): void {
  character.place = pickRandomPlace(random);
  character.onlineSince = now;
  character.lastLogin = now;
  character.account.lastLogin = now;
}

export function takeCharacterOffline(character: Character): void {
  character.place = nowhere;
  character.onlineSince = null;
}
