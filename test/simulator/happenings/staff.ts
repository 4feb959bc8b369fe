import { defineSimulatedEvent } from "../events/scene.ts";
import type { SimulationContext } from "../events/scene.ts";
import { isStaffAccount } from "../world/people.ts";
import type { Character } from "../world/people.ts";
import { pickRandomPlace, towns } from "../world/places.ts";
import type { Place } from "../world/places.ts";
import { serialText } from "../world/serials.ts";

const command = defineSimulatedEvent(5, (scene) => {
  const { world, random } = scene;
  const actor = world.characters.values().find((one) => isStaffAccount(one.account));
  const target = world.online.pick(random);
  if (!actor || !target) return;
  scene.emit("admin.audit", {
    actor: {
      serial: actor.serial,
      name: actor.name,
      acct: actor.account.name,
      access: actor.account.access,
    },
    command: random.pick(["go", "kick", "props", "set"]),
    args: random.pick(["", "Hue 0x482", 'Name "O\'Neil"']),
    target: target.serial,
    location: pickRandomPlace(random),
  });
});

const chat = defineSimulatedEvent(8, (scene) => {
  const one = scene.world.online.pick(scene.random);
  if (!one) return;
  scene.emit("chat.message", {
    channel: scene.random.pick(["Help", "General", "Trade", "Looking For Group"]),
    name: one.name,
    serial: one.serial,
    text: scene.random.pick(["wts <bless deed>", "anyone for Doom?", "ty :)", "où est Luna?"]),
  });
});

const speech = defineSimulatedEvent(20, (scene) => {
  const one = scene.world.online.pick(scene.random);
  if (!one) return;
  scene.emit("speech", {
    ...suspect(one),
    name: one.name,
    type: scene.random.pick(["Regular", "Yell", "Whisper"]),
    text: scene.random.pick(["vendor buy", "An Ex Por", "hail!", "Kal Ort Por"]),
    hue: 0x34,
  });
});

const fastWalk = defineSimulatedEvent(1, (scene) => cheat(scene, "cheat.fastwalk"));
const speedHack = defineSimulatedEvent(1, (scene) => cheat(scene, "cheat.speedhack"));
const multiClient = defineSimulatedEvent(1, (scene) => shared(scene, "cheat.multiclient", 1));
const ipLimit = defineSimulatedEvent(1, (scene) => shared(scene, "ip.limit", 10));

export const staffHappenings = {
  command,
  chat,
  speech,
  fastWalk,
  speedHack,
  multiClient,
  ipLimit,
};

/** Emits the audit event that the shard itself writes for a command of the site. */
export function auditWebCommand(
  scene: SimulationContext,
  actor: { readonly username: string; readonly role: string },
  entry: {
    readonly command: string;
    readonly args: string;
    readonly target: string | null;
  },
): void {
  scene.emit("admin.audit", {
    actor: { serial: serialText(2), name: actor.username, acct: "web", access: actor.role },
    ...entry,
    location: towns[3],
  });
}

const suspect = (one: Character): { serial: string; acct: string; location: Place } => ({
  serial: one.serial,
  acct: one.account.name,
  location: one.place,
});

function cheat(scene: SimulationContext, kind: string): void {
  const one = scene.world.online.pick(scene.random);
  if (!one) return;
  scene.emit(kind, {
    ...suspect(one),
    ip: one.account.ip,
    count: scene.random.int(5, 60),
    windowMs: 10_000,
    client: "7.0.98.16",
  });
}

function shared(scene: SimulationContext, kind: string, limit: number): void {
  const accounts = [
    scene.world.accounts.pick(scene.random),
    scene.world.accounts.pick(scene.random),
  ];
  const names = accounts.filter((one) => one !== undefined).map((one) => one.name);
  scene.emit(kind, { ip: "198.51.100.7", accounts: names, limit });
}
