import type { RandomSource } from "../../random.ts";
import type { Payload } from "../../stream/event.ts";
import { addClanMember, createClan } from "../world/clans.ts";
import type { Clan } from "../world/clans.ts";
import { clanName } from "../world/names.ts";
import type { Npc } from "../world/npcs.ts";
import type { Player } from "../world/players.ts";
import { stats } from "../world/stats.ts";
import { onlinePlayers, tallyOf } from "../world/world.ts";
import { damageNpc, recordParticipation } from "./npcs.ts";
import {
  sendChatMessage,
  disconnectPlayer,
  killPlayer,
  connectPlayer,
  playerIdentityOf,
  reportPlayer,
  respawnPlayer,
  weapons,
} from "./players.ts";
import type { SurvivalSimulationContext } from "./scene.ts";
import { clanRoster } from "./states.ts";

type Happening = (scene: SurvivalSimulationContext) => void;

function pickWhere<T>(random: RandomSource, list: readonly T[], claim: (one: T) => boolean) {
  const fitting = list.filter(claim);
  return fitting.length === 0 ? undefined : random.pick(fitting);
}

const somebody = (
  { world, random }: SurvivalSimulationContext,
  claim: (one: Player) => boolean = () => true,
) => pickWhere(random, onlinePlayers(world), claim);

const sayings = [
  "gg",
  "where is outpost?",
  "<b>bold</b>",
  "🔥🔥🔥",
  "selling scrap",
  "x".repeat(300),
];

function someJoins(scene: SurvivalSimulationContext): void {
  const { world, random } = scene;
  const away = ({ connectedAt }: Player): boolean => connectedAt === null;
  if (onlinePlayers(world).length >= world.sizes.online + 20) return;
  const player = pickWhere(random, [...world.players.values()], away);
  if (player !== undefined) connectPlayer(scene, player);
}

function someLeaves(scene: SurvivalSimulationContext): void {
  if (onlinePlayers(scene.world).length <= scene.world.sizes.online / 2) return;
  const player = somebody(scene);
  if (player !== undefined) {
    disconnectPlayer(scene, player, scene.random.pick(["disconnected", "timeout"]));
  }
}

function someDies(scene: SurvivalSimulationContext): void {
  const { random } = scene;
  const victim = somebody(scene, ({ dead }) => !dead);
  if (victim === undefined) return;
  const killer = random.chance(0.7) ? somebody(scene, (one) => one !== victim) : undefined;
  if (killer === undefined) {
    const kind = random.pick(["animal", "environment", "self"] as const);
    killPlayer(scene, victim, { killer: kind === "animal" ? { kind, prefab: "bear" } : { kind } });
    return;
  }
  killPlayer(scene, victim, {
    killer: { kind: "player", steamId: killer.steamId, name: killer.name },
    weapon: random.pick(weapons),
    distance: random.int(1, 300) + 0.5,
    headshot: random.chance(0.3),
  });
}

function someRespawns(scene: SurvivalSimulationContext): void {
  const player = somebody(scene, ({ dead }) => dead);
  if (player !== undefined) respawnPlayer(scene, player);
}

function someChats(scene: SurvivalSimulationContext): void {
  const player = somebody(scene);
  if (player !== undefined) sendChatMessage(scene, player, scene.random.pick(sayings));
}

/**
 * A player damages an NPC. A boss keeps its last health point, so that tests can observe a run that waits for the
 * boss's death. Only an action of a test kills a boss.
 */
function someHunts(scene: SurvivalSimulationContext): void {
  const { world, random } = scene;
  const spared = ({ profile }: Npc): number =>
    world.npcs.profiles.get(profile)?.document["boss"] === true ? 1 : 0;
  const [npc, by] = [
    pickWhere(random, [...world.npcs.alive.values()], (one) => one.health > spared(one)),
    somebody(scene),
  ];
  if (npc === undefined || by === undefined) return;
  const damage = Math.min(random.int(10, npc.maxHealth), npc.health - spared(npc));
  damageNpc(scene, npc, { by, damage, weapon: random.pick(weapons) });
}

function someTakesPart(scene: SurvivalSimulationContext): void {
  const { world, random } = scene;
  const parts = [...world.participations.values()];
  const part = pickWhere(random, parts, ({ state }) => state === "open");
  const player = somebody(scene);
  if (part === undefined || player === undefined) return;
  recordParticipation(scene, part.participationId, player.steamId, 1);
}

/** Emits a change of a clan, with the clan's present members. */
export function tellClan(
  scene: SurvivalSimulationContext,
  change: string,
  clan: Clan,
  facts: Payload,
): void {
  const { clanId, created, name } = clan;
  scene.emit(`clan.${change}`, { clanId, created, name, ...facts });
  if (change !== "disbanded") scene.emit("clan.roster", clanRoster(scene.world, clan));
}

function someClanChanges(scene: SurvivalSimulationContext): void {
  const { world, random } = scene;
  const { clans } = world.save;
  const player = somebody(scene);
  if (player === undefined) return;
  const clan = player.clanId === null ? undefined : clans.clans.get(player.clanId);
  if (clan !== undefined) return leaveClan(scene, clan, player);
  const open = pickWhere(random, [...clans.clans.values()], ({ members }) => members.size < 8);
  if (open !== undefined && random.chance(0.8)) {
    addClanMember(open, player, 2, scene.now());
    return tellClan(scene, "member.added", open, { member: playerIdentityOf(player) });
  }
  const name = clanName(clans.lastId + 10, random);
  const made = createClan(clans, { name, at: scene.now(), score: 0, color: -1 }, player);
  tellClan(scene, "created", made, { actor: playerIdentityOf(player) });
}

/** Removes a player from a clan. A clan without members is disbanded. */
function leaveClan(scene: SurvivalSimulationContext, clan: Clan, player: Player): void {
  clan.members.delete(player.steamId);
  player.clanId = null;
  if (clan.members.size > 0) {
    return tellClan(scene, "member.left", clan, { member: playerIdentityOf(player) });
  }
  scene.world.save.clans.clans.delete(clan.clanId);
  tellClan(scene, "disbanded", clan, { actor: playerIdentityOf(player) });
}

function someReports(scene: SurvivalSimulationContext): void {
  const [reporter, target] = [somebody(scene), somebody(scene)];
  if (reporter !== undefined && target !== undefined) reportPlayer(scene, reporter, target);
}

/** CATALOGUE of the events that the game emits by itself, with relative weights. */
const happenings: readonly [weight: number, happen: Happening][] = [
  [6, someJoins],
  [5, someLeaves],
  [10, someDies],
  [12, someRespawns],
  [12, someChats],
  [8, someHunts],
  [4, someTakesPart],
  [2, someClanChanges],
  [1, someReports],
];

const total = happenings.reduce((sum, [weight]) => sum + weight, 0);

/** Simulates one event. Emits nothing if the world contains nothing to which it can happen. */
export function simulateOneEvent(scene: SurvivalSimulationContext): void {
  let left = scene.random.next() * total;
  const [, happen] = happenings.find(([weight]) => (left -= weight) < 0) ?? [0, someChats];
  happen(scene);
  work(scene);
}

const neverByWork = new Set(["playersKilled", "headshots", "npcKills"]);

/** A player gathers or builds. This changes only the player's counters. */
function work(scene: SurvivalSimulationContext): void {
  const player = somebody(scene);
  if (player === undefined) return;
  const tally = tallyOf(scene.world, player.steamId);
  const stat = scene.random.pick(stats.filter((one) => !neverByWork.has(one)));
  tally.stats[stat] += scene.random.int(1, 5);
  scene.changedTallies.add(player.steamId);
}

export function movePlayers({ world, random }: SurvivalSimulationContext): void {
  const edge = world.save.size * 0.6;
  const step = (from: number): number =>
    Math.round(Math.max(-edge, Math.min(edge, from + (random.next() - 0.5) * 40)) * 10) / 10;
  for (const player of onlinePlayers(world)) {
    if (player.dead) continue;
    Object.assign(player, { x: step(player.x), z: step(player.z) });
  }
}
