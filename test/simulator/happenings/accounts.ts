import { defineSimulatedEvent } from "../events/scene.ts";
import type { Payload, SimulationContext } from "../events/scene.ts";
import { governorRow } from "../world/cities.ts";
import { createAccount, createCharacter, isStaffAccount } from "../world/people.ts";
import type { Account, Character } from "../world/people.ts";
import { boardRow } from "../world/points.ts";
import { vendorRow } from "../world/vendors.ts";
import { addAccount } from "../world/world.ts";
import { leaveGuild } from "./guilds.ts";

/** The first id of users that the site does not know. A shard may have links of an earlier site. */
const strangerFrom = 900_000;

const created = defineSimulatedEvent(2, (scene) => {
  const { world, random } = scene;
  if (world.accounts.size > world.sizes.accounts * 2) return;
  const name = `new${++world.minted}`;
  openAccount(scene, createAccount({ name, access: "Player", random, createdAt: scene.now() }), {
    via: "game",
    by: null,
  });
});

const newCharacter = defineSimulatedEvent(2, (scene) => {
  const account = ordinary(scene);
  if (!account || account.characters.length >= 7) return;
  const { world, random } = scene;
  const index = world.characters.size + 10;
  const character = createCharacter(account, world.serials, random, index);
  account.characters.push(character);
  world.characters.set(character.serial, character);
  scene.emit("character.created", {
    ...named(character),
    race: character.race,
    female: character.female,
    profession: random.int(0, 7),
    ...character.stats,
  });
});

const deletedCharacter = defineSimulatedEvent(1, (scene) => {
  const { world, random } = scene;
  const character = world.characters.pickWhere(random, (one) => mayGo(one, scene));
  if (!character) return;
  const index = character.account.characters.indexOf(character);
  character.account.characters.splice(index, 1);
  world.characters.delete(character.serial);
  leaveGuild(scene, character);
  scene.emit("character.deleted", { ...named(character), index });
});

const renamed = defineSimulatedEvent(1, (scene) => {
  const character = scene.world.online.pick(scene.random);
  if (!character) return;
  const { serial, account, name: old } = character;
  character.name = `${old.slice(0, 12)} II`;
  scene.emit("character.renamed", { serial, acct: account.name, old, new: character.name });
  tellUnderNewName(scene, character);
});

const password = defineSimulatedEvent(2, (scene) => {
  const account = ordinary(scene);
  if (account) {
    emitAuditEvent(scene, account, { action: "password", by: account.name, detail: null });
  }
});

const linked = defineSimulatedEvent(1, (scene) => {
  const account = ordinary(scene);
  if (!account || scene.world.links.has(account.name.toLowerCase())) return;
  linkAccount(scene, account, strangerFrom + scene.random.int(0, 99), "player");
});

const unlinked = defineSimulatedEvent(1, (scene) => {
  const link = scene.world.links.pickWhere(scene.random, (one) => one.userId >= strangerFrom);
  if (link) unlinkAccount(scene, link.account, scene.random.pick(["player", "staff"]));
});

const gold = defineSimulatedEvent(3, (scene) => {
  const account = ordinary(scene);
  if (!account) return;
  const old = account.gold;
  account.gold = Math.max(0, old + scene.random.int(-200_000, 2_000_000_000));
  scene.emit("account.gold", { acct: account.name, old, new: account.gold });
});

export const accountHappenings = {
  created,
  newCharacter,
  deletedCharacter,
  renamed,
  password,
  linked,
  unlinked,
  gold,
};

export function openAccount(
  scene: SimulationContext,
  account: Account,
  how: { readonly via: "game" | "website"; readonly by: string | null },
): void {
  addAccount(scene.world, account);
  scene.emit("account.created", { acct: account.name, ip: account.ip, via: how.via });
  emitAuditEvent(scene, account, { action: "created", by: how.by, detail: how.via });
}

export function linkAccount(
  scene: SimulationContext,
  account: Account,
  userId: number,
  by: string,
): void {
  const linkedAt = scene.now();
  scene.world.links.set(account.name.toLowerCase(), { account: account.name, userId, linkedAt });
  scene.emit("account.linked", { acct: account.name, webId: userId, by });
}

/** Unlinks an account. @returns false if the account has no link */
export function unlinkAccount(scene: SimulationContext, name: string, by: string): boolean {
  const link = scene.world.links.get(name.toLowerCase());
  if (!link) return false;
  scene.world.links.delete(name.toLowerCase());
  scene.emit("account.unlinked", { acct: link.account, webId: link.userId, by });
  return true;
}

export function emitAuditEvent(
  scene: SimulationContext,
  account: Account,
  entry: {
    readonly action: string;
    readonly by: string | null;
    readonly detail: string | null;
  },
): void {
  scene.emit("account.audit", { acct: account.name, ...entry });
}

/** Emits all states that contain the character's name, after the name has changed. */
function tellUnderNewName({ world, emit, now }: SimulationContext, character: Character): void {
  for (const vendor of world.vendors.values()) {
    if (vendor.owner === character) emit("vendor.upsert", vendorRow(vendor));
  }
  for (const city of world.cities.values()) {
    if (city.governor === character) emit("governor.upsert", governorRow(city));
  }
  for (const board of world.boards.values()) {
    if (board.scores.has(character)) emit("points.board", boardRow(board, now()));
  }
}

const ordinary = ({ world, random }: SimulationContext): Account | undefined =>
  world.accounts.pickWhere(random, (one) => !isStaffAccount(one));

const named = (character: Character): Payload => ({
  serial: character.serial,
  name: character.name,
  acct: character.account.name,
});

/**
 * Returns true if the character may be deleted. Characters with property or an office stay, because there are
 * enough others.
 */
const mayGo = (character: Character, { world }: SimulationContext): boolean =>
  character.onlineSince === null &&
  !isStaffAccount(character.account) &&
  world.characters.size > world.sizes.accounts &&
  !world.guilds.values().some((guild) => guild.leader === character) &&
  !world.cities.values().some((city) => city.governor === character);
