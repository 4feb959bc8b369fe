import { createHash } from "node:crypto";

import type { SurvivalGame } from "./game/game.ts";
import { damageNpc, recordParticipation } from "./game/npcs.ts";
import {
  channels,
  sendChatMessage,
  disconnectPlayer,
  killPlayer,
  connectPlayer,
  reportPlayer,
  respawnPlayer,
} from "./game/players.ts";
import type { SurvivalSimulationContext } from "./game/scene.ts";
import { clanBoard, clanRoster, buildPluginEntry } from "./game/states.ts";
import { blueprintFates, olderSave } from "./game/wipes.ts";
import { boardCeiling, createClan } from "./world/clans.ts";
import { groupOf, holderOf } from "./world/permissions.ts";
import type { Player } from "./world/players.ts";
import { isStat } from "./world/stats.ts";
import { tallyOf } from "./world/world.ts";

/** Thrown for an action that is impossible, or whose player or object does not exist. */
export class PlayerActionError extends Error {
  override readonly name = "TurnError";
}

interface Somebody {
  readonly steamId: string;
}

/** CATALOGUE of actions in the game that tests and scripts can trigger. */
const turns = {
  join: (game: SurvivalGame, { steamId }: Somebody) => {
    connectPlayer(game.scene(), playerOf(game, steamId));
  },

  leave: (game: SurvivalGame, { steamId, reason = "disconnected" }: Somebody & Reasoned) => {
    disconnectPlayer(game.scene(), playerOf(game, steamId), reason);
  },

  die: (game: SurvivalGame, { steamId, by, weapon, distance, headshot }: Somebody & Killing) => {
    const victim = playerOf(game, steamId);
    const killer = by === undefined ? undefined : playerOf(game, by);
    killPlayer(game.scene(), victim, {
      killer:
        killer === undefined
          ? { kind: "environment" }
          : { kind: "player", steamId: killer.steamId, name: killer.name },
      weapon,
      distance,
      headshot,
    });
  },

  respawn: (game: SurvivalGame, { steamId }: Somebody) => {
    respawnPlayer(game.scene(), playerOf(game, steamId));
  },

  chat: (
    game: SurvivalGame,
    { steamId, message, channel = "global" }: Somebody & { message: string; channel?: Channel },
  ) => {
    if (!channels.includes(channel)) throw new PlayerActionError(`no channel ${channel}`);
    sendChatMessage(game.scene(), playerOf(game, steamId), message, channel);
  },

  report: (game: SurvivalGame, { steamId, target }: Somebody & { target: string }) => {
    reportPlayer(game.scene(), playerOf(game, steamId), playerOf(game, target));
  },

  rename: (game: SurvivalGame, { steamId, name }: Somebody & { name: string }) => {
    playerOf(game, steamId).name = name;
  },

  /** Sets counters of a player and reports them at once. */
  tally: (game: SurvivalGame, { steamId, stats = {}, playtimeSec }: Somebody & TallyChange) => {
    playerOf(game, steamId);
    const tally = tallyOf(game.world, steamId);
    for (const [stat, value] of Object.entries(stats)) {
      if (!isStat(stat)) throw new PlayerActionError(`no stat ${stat}`);
      tally.stats[stat] = value;
    }
    tally.playtimeSec = playtimeSec ?? tally.playtimeSec;
    game.scene().changedTallies.add(steamId);
    game.tellChangedTallies();
  },

  /** Kills the oldest NPC of a placement or of a profile. */
  killNpc: (game: SurvivalGame, { by, placement, profile, helpers = [] }: NpcKill) => {
    const npc = npcOf(game, placement, profile);
    const scene = game.scene();
    for (const steamId of helpers) {
      const share = Math.floor(npc.health / (helpers.length + 1));
      damageNpc(scene, npc, { by: playerOf(game, steamId), damage: share });
    }
    const killer = by === null ? null : playerOf(game, by);
    damageNpc(scene, npc, { by: killer, damage: npc.health, weapon: "rifle.ak" });
    return { netId: npc.netId };
  },

  hurtNpc: (game: SurvivalGame, { by, placement, damage }: NpcHurt) => {
    const npc = npcOf(game, placement);
    damageNpc(game.scene(), npc, { by: playerOf(game, by), damage });
    return { netId: npc.netId, health: npc.health };
  },

  takePart: (
    game: SurvivalGame,
    { steamId, participationId, score = 1 }: Somebody & { participationId: number; score?: number },
  ) => {
    playerOf(game, steamId);
    if (game.world.participations.get(participationId)?.state !== "open") {
      throw new PlayerActionError(`no open participation ${participationId}`);
    }
    recordParticipation(game.scene(), participationId, steamId, score);
  },

  wipe: (game: SurvivalGame, { blueprints = "unknown", forced = false }: WipeTurn) => {
    if (!blueprintFates.includes(blueprints)) throw new PlayerActionError(`no fate ${blueprints}`);
    game.wipe({ blueprints, forced });
    return { saveId: game.world.save.saveId };
  },

  /** Restores a save. Without an id, the save is older than all known saves. */
  restore: (game: SurvivalGame, { saveId }: { saveId?: number }) => {
    const save = saveId === undefined ? olderSave(game.world) : game.world.saves.get(saveId);
    if (save === undefined) throw new PlayerActionError(`no save ${saveId}`);
    game.load(save);
    return { saveId: save.saveId };
  },

  /** A player types `/link` and so gets a link code. */
  mintCode: (game: SurvivalGame, { steamId }: Somebody) => mintCode(game, playerOf(game, steamId)),

  loadPlugin: (game: SurvivalGame, { name }: { name: string }) => {
    const plugin = pluginOf(game, name);
    plugin.loaded = true;
    game.emit("plugin.loaded", buildPluginEntry(plugin));
  },

  unloadPlugin: (
    game: SurvivalGame,
    { name, reason = "unloaded" }: { name: string } & Reasoned,
  ) => {
    const plugin = pluginOf(game, name);
    plugin.loaded = false;
    game.emit("plugin.unloaded", { ...buildPluginEntry(plugin), reason });
  },

  failPlugin: (game: SurvivalGame, { name }: { name: string }) => {
    const error = { line: 12, column: 5, code: "CS1002", message: "; expected" };
    pluginOf(game, name).loaded = false;
    game.emit("plugin.failed", { name, errors: [error] });
  },

  /** Changes permissions in the game. The plugin notices the change. */
  permission: (game: SurvivalGame, edit: PermissionEdit) => {
    editPermission(game, edit);
    game.emit("perm.changed", { ...edit, at: game.now() });
  },

  /** Changes permissions in the game without the plugin's knowledge. */
  drift: (game: SurvivalGame, edit: PermissionEdit) => {
    editPermission(game, edit);
  },

  clan: (game: SurvivalGame, clan: { name: string; score?: number; leader?: string }) => {
    const { name, score = 0, leader } = clan;
    const founder = leader === undefined ? undefined : playerOf(game, leader);
    const facts = { name, score, at: game.now(), color: -16_711_936 };
    const made = createClan(game.world.save.clans, facts, founder);
    game.emit("clan.roster", clanRoster(game.world, made));
    return { clanId: made.clanId, created: made.created };
  },

  /** Adds or removes clans until there are this many. Emits the clan board. */
  board: (game: SurvivalGame, { clans = boardCeiling }: { clans?: number }) => {
    const { clans: known, ...database } = game.world.save.clans;
    for (const clanId of [...known.keys()].slice(clans)) known.delete(clanId);
    for (let index = database.lastId + 1; known.size < clans; index++) {
      const facts = { name: `Clan ${index}`, score: index, at: game.now(), color: index };
      createClan(game.world.save.clans, facts, undefined);
    }
    game.emit("clan.board", clanBoard(game.world, game.now()));
    return { clans: known.size };
  },

  redeemKit: (game: SurvivalGame, { entitlementId }: { entitlementId: number }) => {
    const entitlement = game.world.entitlements.get(entitlementId);
    if (entitlement?.state !== "delivered") throw new PlayerActionError(`no kit ${entitlementId}`);
    entitlement.uses--;
    if (entitlement.uses <= 0) entitlement.state = "redeemed";
    const { steamId, kit } = entitlement;
    game.emit("kit.redeemed", { entitlementId, steamId, kit, at: game.now() });
  },

  /** Removes a zone or a placement, as an administrator of the game does. */
  remove: (game: SurvivalGame, { what, ref }: { what: "zone" | "placement"; ref: string }) => {
    const scene = game.scene();
    const gone =
      what === "zone" ? game.world.leases.delete(ref) : game.world.npcs.placements.delete(ref);
    if (!gone) throw new PlayerActionError(`no ${what} ${ref}`);
    scene.emit("world.expired", { what, ref, reason: "removed", at: game.now() });
  },

  /** Makes a zone, a participation or a kit expire at once. */
  expire: (game: SurvivalGame, { what, ref }: { what: Expiring; ref: string }) => {
    const { leases, participations, entitlements } = game.world;
    const found = {
      zone: leases.get(ref),
      participation: participations.get(Number(ref)),
      kit: entitlements.get(Number(ref)),
    }[what];
    if (found === undefined) throw new PlayerActionError(`no ${what} ${ref}`);
    Object.assign(found, what === "kit" ? { expiresAt: game.now() } : { until: game.now() });
    game.tick();
  },

  tick: (game: SurvivalGame) => game.tick(),
};

type Expiring = "zone" | "participation" | "kit";
type Channel = (typeof channels)[number];

interface Reasoned {
  readonly reason?: string;
}

interface Killing {
  readonly by?: string;
  readonly weapon?: string;
  readonly distance?: number;
  readonly headshot?: boolean;
}

interface TallyChange {
  readonly stats?: Readonly<Record<string, number>>;
  readonly playtimeSec?: number;
}

interface NpcKill {
  /** The Steam id of the killer. Null if there is none. */
  readonly by: string | null;
  readonly placement?: string;
  readonly profile?: string;
  /** The Steam ids of players who damaged the NPC before. */
  readonly helpers?: readonly string[];
}

interface NpcHurt {
  readonly by: string;
  readonly placement: string;
  readonly damage: number;
}

interface WipeTurn {
  readonly blueprints?: (typeof blueprintFates)[number];
  readonly forced?: boolean;
}

interface PermissionEdit {
  readonly op: "grant" | "revoke" | "join" | "leave";
  readonly subjectKind: "user" | "group";
  readonly subject: string;
  /** A permission to grant or revoke, or a group to join or leave. */
  readonly value: string;
}

type Turns = typeof turns;
type FactsOf<F> = F extends (game: SurvivalGame, facts: infer A) => unknown ? A : object;
type Named<N extends keyof Turns> = { readonly turn: N } & FactsOf<Turns[N]>;

/** An action with its parameters. */
export type PlayerAction = { [N in keyof Turns]: Named<N> }[keyof Turns];

/**
 * Performs an action.
 * @returns its result
 * @throws {PlayerActionError} if the action is impossible
 */
export function performPlayerAction(game: SurvivalGame, { turn, ...facts }: PlayerAction): unknown {
  if (!Object.hasOwn(turns, turn)) {
    throw new PlayerActionError(`turn must be one of ${Object.keys(turns).join(", ")}`);
  }
  if (!game.awake) throw new PlayerActionError("the game is away");
  const perform = turns[turn] as (game: SurvivalGame, facts: object) => unknown;
  return perform(game, facts) ?? null;
}

function playerOf({ world }: SurvivalGame, steamId: string): Player {
  const player = world.players.get(steamId);
  if (player === undefined) throw new PlayerActionError(`no player ${steamId}`);
  return player;
}

function pluginOf({ world }: SurvivalGame, name: string) {
  const plugin = world.plugins.get(name);
  if (plugin === undefined) throw new PlayerActionError(`no plugin ${name}`);
  return plugin;
}

function npcOf({ world }: SurvivalGame, placement?: string, profile?: string) {
  const npc = [...world.npcs.alive.values()].find(
    (one) =>
      (placement === undefined || one.placement === placement) &&
      (profile === undefined || one.profile === profile),
  );
  if (npc === undefined) throw new PlayerActionError(`no NPC of ${placement ?? profile ?? "any"}`);
  return npc;
}

/** Letters that are not easily confused when they are read aloud or from a screen. */
const codeLetters = "ABCDEFGHJKMNPQRSTVWXYZ".split("");
const codeMs = 5 * 60_000;

function mintCode(game: SurvivalGame, { steamId }: Player): { code: string; expiresAt: number } {
  const { random }: SurvivalSimulationContext = game.commandScene();
  const code = Array.from({ length: 6 }, () => random.pick(codeLetters)).join("");
  const expiresAt = game.now() + codeMs;
  game.world.codes.set(code, { code, steamId, expiresAt });
  // The salt is random, so that equal codes have different hashes.
  const salt = Array.from({ length: 16 }, () => random.pick(codeLetters)).join("");
  const hash = createHash("sha256").update(`${salt}:${code}`).digest("hex");
  game.emit("link.minted", { at: game.now(), expiresAt, salt, hash });
  return { code, expiresAt };
}

function editPermission({ world }: SurvivalGame, edit: PermissionEdit): void {
  const { op, subjectKind, subject, value } = edit;
  const { permissions } = world;
  const isGroup = subjectKind === "group";
  const { permissions: nodes } = (isGroup ? groupOf : holderOf)(permissions, subject);
  if (op === "grant") nodes.add(value);
  if (op === "revoke") nodes.delete(value);
  if (isGroup) return;
  const { groups } = holderOf(permissions, subject);
  if (op === "join") groups.add(value);
  if (op === "leave") groups.delete(value);
}
