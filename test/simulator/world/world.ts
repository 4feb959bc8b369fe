import { createRandom } from "../random.ts";
import type { RandomSource } from "../random.ts";
import { createChampions } from "./champions.ts";
import type { Champion } from "./champions.ts";
import { createCities } from "./cities.ts";
import type { City } from "./cities.ts";
import { createGuild } from "./guilds.ts";
import type { Guild } from "./guilds.ts";
import type { CrierEntry, HelpPage } from "./help.ts";
import { createHouse } from "./houses.ts";
import type { House } from "./houses.ts";
import {
  bringCharacterOnline,
  createPeople,
  takeCharacterOffline,
  isStaffAccount,
} from "./people.ts";
import type { Account, Character } from "./people.ts";
import { createBoards } from "./points.ts";
import type { Board } from "./points.ts";
import { RandomPickMap } from "./register.ts";
import { Serials } from "./serials.ts";
import type { WorldSizes } from "./sizes.ts";
import { createVendor, stockVendor, stockAwkwardItems } from "./vendors.ts";
import type { Vendor } from "./vendors.ts";

export const signupModes = ["disabled", "website", "hybrid", "game"] as const;
export type SignupMode = (typeof signupModes)[number];

interface Link {
  readonly account: string;
  readonly userId: number;
  readonly linkedAt: number;
}

/** The complete state of the game server. Simulated events and commands change it. */
export interface ShardWorld {
  readonly sizes: WorldSizes;
  readonly serials: Serials;
  /** The accounts by their name in lower case, because the game ignores the case of names. */
  readonly accounts: RandomPickMap<string, Account>;
  readonly characters: RandomPickMap<string, Character>;
  readonly online: RandomPickMap<string, Character>;
  readonly houses: RandomPickMap<string, House>;
  readonly vendors: RandomPickMap<string, Vendor>;
  readonly boards: RandomPickMap<string, Board>;
  readonly guilds: RandomPickMap<number, Guild>;
  readonly cities: RandomPickMap<string, City>;
  readonly champions: RandomPickMap<string, Champion>;
  readonly pages: RandomPickMap<string, HelpPage>;
  readonly crier: RandomPickMap<string, CrierEntry>;
  readonly links: RandomPickMap<string, Link>;
  /** Accounts by the link code that was issued to them in the game. */
  readonly codes: RandomPickMap<string, Account>;
  signupMode: SignupMode;
  /** The maximum number of accounts per address. The loopback address has no limit. */
  readonly accountsPerIp: number;
  /**
   * The number of ids that the simulator has assigned, for example to guilds, help pages and
   * town-crier entries.
   */
  minted: number;
}

export interface WorldOptions {
  readonly seed: string;
  readonly now: number;
  readonly sizes: WorldSizes;
}

export function createWorld({ seed, now, sizes }: WorldOptions): ShardWorld {
  const random = createRandom(seed).fork("world");
  const world = emptyWorld(sizes);
  const people = { random: random.fork("people"), serials: world.serials, now };
  for (const account of createPeople({ ...people, accounts: sizes.accounts })) {
    addAccount(world, account);
  }
  addHouses(world, random.fork("houses"), now);
  addMarket(world, random.fork("market"));
  addGuilds(world, random.fork("guilds"));
  const characters = world.characters.values();
  for (const board of createBoards(characters, random.fork("points"))) {
    world.boards.set(board.system, board);
  }
  for (const city of createCities(characters, random.fork("cities"))) {
    world.cities.set(city.name, city);
  }
  for (const champion of createChampions(sizes.champions, world.serials)) {
    world.champions.set(champion.id, champion);
  }
  addCodes(world, random.fork("codes"));
  return world;
}

const emptyWorld = (sizes: WorldSizes): ShardWorld => ({
  sizes,
  serials: new Serials(),
  accounts: new RandomPickMap(),
  characters: new RandomPickMap(),
  online: new RandomPickMap(),
  houses: new RandomPickMap(),
  vendors: new RandomPickMap(),
  boards: new RandomPickMap(),
  guilds: new RandomPickMap(),
  cities: new RandomPickMap(),
  champions: new RandomPickMap(),
  pages: new RandomPickMap(),
  crier: new RandomPickMap(),
  links: new RandomPickMap(),
  codes: new RandomPickMap(),
  signupMode: "hybrid",
  accountsPerIp: 3,
  minted: 0,
});

export function addAccount(world: ShardWorld, account: Account): void {
  world.accounts.set(account.name.toLowerCase(), account);
  for (const character of account.characters) world.characters.set(character.serial, character);
}

export const findAccount = (world: ShardWorld, name: string): Account | undefined =>
  world.accounts.get(name.toLowerCase());

/**
 * Returns a random character of an account that is not staff's. The game leaves staff out of all
 * lists.
 */
export const ordinaryCharacter = (world: ShardWorld, random: RandomSource): Character | undefined =>
  world.characters.pickWhere(random, (one) => !isStaffAccount(one.account));

function addHouses(world: ShardWorld, random: RandomSource, now: number): void {
  for (let index = 0; index < world.sizes.houses; index++) {
    const ownerless = index === 4 || random.chance(0.03);
    const owner = ownerless ? null : (ordinaryCharacter(world, random) ?? null);
    const house = createHouse({ random, serials: world.serials, now, owner, index });
    world.houses.set(house.serial, house);
  }
}

function addMarket(world: ShardWorld, random: RandomSource): void {
  const { vendors, listings } = world.sizes;
  const lots = Math.floor(listings / Math.max(1, vendors));
  for (let index = 0; index < vendors; index++) {
    const house = random.chance(0.6) ? (world.houses.pick(random) ?? null) : null;
    const owner = house?.owner ?? ordinaryCharacter(world, random) ?? null;
    const vendor = createVendor({ random, serials: world.serials, owner, house, index });
    if (index === 4) stockAwkwardItems(vendor, world.serials, random);
    const short = lots - vendor.items.length;
    stockVendor(
      vendor,
      world.serials,
      random,
      Math.max(0, short + random.int(-short >> 1, short >> 1)),
    );
    world.vendors.set(vendor.serial, vendor);
  }
}

function addGuilds(world: ShardWorld, random: RandomSource): void {
  for (let index = 0; index < world.sizes.guilds; index++) {
    const founder = world.characters.pickWhere(random, (one) => one.guildId === null);
    if (founder === undefined) continue;
    const guild = createGuild(++world.minted, founder, random, index === 1);
    world.guilds.set(guild.guildId, guild);
    for (let count = random.int(0, 20); count > 0; count--) {
      const member = world.characters.pickWhere(random, (one) => one.guildId === null);
      if (member === undefined) continue;
      member.guildId = guild.guildId;
      guild.members.add(member);
    }
  }
}

function addCodes(world: ShardWorld, random: RandomSource): void {
  for (const account of world.accounts.values().slice(0, 20)) mintCode(world, account, random);
}

/** Characters of link codes. Those that look alike in the game's font are left out. */
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789".split("");

/** Issues a link code, which the player types on the site. */
export function mintCode(world: ShardWorld, account: Account, random: RandomSource): string {
  const code = Array.from({ length: 8 }, () => random.pick(codeLetters)).join("");
  world.codes.set(code, account);
  return code;
}

/**
 * Brings the usual number of players online, with one character per account. Players with linked accounts come
 * first, because the site names only linked players.
 */
export function populateWorld(world: ShardWorld, random: RandomSource, now: number): void {
  for (const character of world.online.values()) takeCharacterOffline(character);
  world.online.clear();
  const playing = new Set<Account>();
  const enter = (character: Character | undefined): void => {
    if (character === undefined || playing.has(character.account)) return;
    playing.add(character.account);
    bringCharacterOnline(character, now, random);
    world.online.set(character.serial, character);
  };
  for (const { account } of world.links.values()) enter(playerOf(world, account));
  for (let tries = 0; tries < world.sizes.online * 8; tries++) {
    if (world.online.size >= world.sizes.online) return;
    enter(ordinaryCharacter(world, random));
  }
}

function playerOf(world: ShardWorld, name: string): Character | undefined {
  const account = findAccount(world, name);
  return account && !isStaffAccount(account) ? account.characters[0] : undefined;
}

/** Returns a new id with this prefix. An object never changes its id. */
export const mintId = (world: ShardWorld, prefix: string): string => `${prefix}-${++world.minted}`;
