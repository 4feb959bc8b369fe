import { defineSimulatedEvent } from "../events/scene.ts";
import type { Payload, SimulationContext } from "../events/scene.ts";
import { bringCharacterOnline, takeCharacterOffline, isStaffAccount } from "../world/people.ts";
import type { Account, Character } from "../world/people.ts";
import { pickRandomPlace } from "../world/places.ts";

/** Signs players in and out, so that the number of online players stays close to the usual one. */
const login = defineSimulatedEvent(20, (scene) => {
  const { world, random } = scene;
  if (world.online.size > world.sizes.online + 3) return;
  const character = world.characters.pickWhere(random, (one) => mayEnter(one, scene));
  if (character !== undefined) logIn(scene, character);
});

const logout = defineSimulatedEvent(20, (scene) => {
  if (scene.world.online.size < scene.world.sizes.online - 3) return;
  const character = scene.world.online.pick(scene.random);
  const reason = scene.random.pick(["logout", "disconnected", "inn"]);
  if (character !== undefined) logOut(scene, character, reason);
});

const failedLogin = defineSimulatedEvent(4, (scene) => {
  const account = scene.world.accounts.pick(scene.random);
  if (account === undefined) return;
  const reason = account.ban ? "Blocked" : scene.random.pick(["BadPass", "Invalid", "InUse"]);
  tellLogin(scene, account, reason);
});

/** A player enters another region. This is by far the most frequent event of a shard. */
const region = defineSimulatedEvent(140, (scene) => {
  const character = scene.world.online.pick(scene.random);
  if (character === undefined) return;
  const from = character.place.region;
  character.place = pickRandomPlace(scene.random);
  const { serial, name, place } = character;
  scene.emit("presence.region", { serial, name, from, to: place.region, location: place });
});

export const presenceHappenings = { login, logout, failedLogin, region };

const mayEnter = (character: Character, { world }: SimulationContext): boolean =>
  !isStaffAccount(character.account) &&
  character.account.ban === null &&
  !character.account.characters.some((one) => world.online.has(one.serial));

function logIn(scene: SimulationContext, character: Character): void {
  const { account, serial, name, race, guildId } = character;
  bringCharacterOnline(character, scene.now(), scene.random);
  scene.world.online.set(serial, character);
  tellLogin(scene, account, null);
  const location = character.place;
  const { name: acct, ip } = account;
  scene.emit("presence.login", { serial, name, acct, ip, location, race, guildId });
}

export function logOut(scene: SimulationContext, character: Character, reason: string): void {
  const { account, serial, name, race, guildId, place: location } = character;
  const sessionMs = Math.max(0, scene.now() - (character.onlineSince ?? scene.now()));
  const sessionSec = Math.floor(sessionMs / 1_000);
  const { name: acct, ip } = account;
  scene.world.online.delete(serial);
  takeCharacterOffline(character);
  const who = { serial, name, acct, ip, location, race, guildId };
  scene.emit("presence.logout", { ...who, sessionSec, reason });
}

function tellLogin(scene: SimulationContext, account: Account, reason: string | null): void {
  scene.emit("account.login", {
    acct: account.name,
    ip: account.ip,
    ok: reason === null,
    reason,
    client: { version: scene.random.pick(["7.0.106.21", "7.0.98.16"]), type: "Classic" },
  });
}

/**
 * Returns the list of online players, with their numbers in total, per facet and per named region.
 */
export function presenceOnline({ world }: Pick<SimulationContext, "world">): Payload {
  const players = world.online.values();
  return {
    count: players.length,
    byMap: tally(players.map((one) => one.place.map)),
    byRegion: tally(players.map((one) => one.place.region)),
    players: players.map((one) => ({
      serial: one.serial,
      name: one.name,
      acct: one.account.name,
      ...one.place,
    })),
  };
}

function tally(names: readonly (string | null)[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
