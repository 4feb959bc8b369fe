import type { Payload } from "../../stream/event.ts";
import { boardCeiling, roles } from "../world/clans.ts";
import type { Clan } from "../world/clans.ts";
import { aliveNpcsOf } from "../world/npcs.ts";
import { helperMods } from "../world/plugins.ts";
import type { HelperPluginId, Plugin } from "../world/plugins.ts";
import { onlinePlayers } from "../world/world.ts";
import type { SurvivalWorld } from "../world/world.ts";

/** All capabilities that the bridge plugin may have. */
export const capabilities = [
  "map",
  "perm",
  "npc",
  "zones",
  "kits",
  "participation",
  "titles",
  "voice",
  "announce",
  "config",
  "link",
  "integrations",
  "moderation",
] as const;

export const pluginVersion = "1.6.0";
export const gameVersion = "2600.287.1";
const dayMs = 86_400_000;

/** Returns the hour of day in the game. A day of the game lasts a real hour. */
export const gameTimeAt = (now: number): number =>
  Math.round((((now % (dayMs / 24)) / (dayMs / 24)) * 24 + Number.EPSILON) * 100) / 100;

export interface GameRunState {
  readonly startedAt: number;
  readonly worldReady: boolean;
  readonly head: number;
  readonly capabilities: readonly string[];
}

export function helpersOf({ plugins }: SurvivalWorld): Payload[] {
  const byHelper = new Map([...plugins.values()].map((plugin) => [plugin.helperId, plugin]));
  return (Object.keys(helperMods) as HelperPluginId[]).map((id) => {
    const plugin = byHelper.get(id);
    const [version, loaded] = [plugin?.version ?? null, plugin?.loaded === true];
    return { id, name: helperMods[id], version, loaded };
  });
}

export const buildHello = (world: SurvivalWorld, run: GameRunState): Payload => ({
  serverName: world.serverName,
  framework: { name: world.framework.name, version: world.framework.version },
  game: { version: gameVersion, protocolNetwork: 2_600, protocolSave: world.save.protocol },
  plugin: { version: pluginVersion },
  npcApi: world.npcApi,
  startedAt: run.startedAt,
  worldReady: run.worldReady,
  world: {
    level: world.save.level,
    seed: world.save.seed,
    size: world.save.size,
    saveCreatedAt: world.save.saveId,
  },
  helpers: helpersOf(world),
  capabilities: run.capabilities,
  head: run.head,
});

export const status = (
  world: SurvivalWorld,
  state: string,
  { uptimeMs, now }: { readonly uptimeMs: number; readonly now: number },
): Payload => ({
  state,
  players: onlinePlayers(world).length,
  maxPlayers: Math.max(50, world.sizes.online + 50),
  queued: 0,
  joining: 0,
  fps: 59,
  uptimeSec: Math.floor(uptimeMs / 1_000),
  gameTime: gameTimeAt(now),
  entities: 40_000 + world.npcs.alive.size,
});

export const playersOnline = (world: SurvivalWorld): Payload => ({
  players: onlinePlayers(world).map(({ steamId, name, connectedAt }) => ({
    steamId,
    name,
    connectedAt,
  })),
});

/** The number of rows per frame. So a frame stays far below its limit of 256 KiB. */
const tallyPage = 100;

/** Returns the counters of these players, as totals, split into frames. */
export function tallyPages(world: SurvivalWorld, steamIds: readonly string[]): Payload[] {
  const rows = steamIds.flatMap((steamId) => {
    const [player, tally] = [world.players.get(steamId), world.save.tallies.get(steamId)];
    if (player === undefined || tally === undefined) return [];
    const staff = player.isStaff ? { staff: true } : {};
    const { stats, playtimeSec, afkSec } = tally;
    return [{ steamId, name: player.name, stats: { ...stats }, playtimeSec, afkSec, ...staff }];
  });
  return paged(rows, tallyPage).map((tallies) => ({ saveId: world.save.saveId, tallies }));
}

export function clanBoard({ save }: SurvivalWorld, at: number): Payload {
  const ranked = [...save.clans.clans.values()].toSorted((one, other) => other.score - one.score);
  return {
    at,
    clans: ranked
      .slice(0, boardCeiling)
      .map(({ clanId, created, name, score, color, members }) => ({
        clanId,
        created,
        name,
        // All 64-bit numbers of the game are sent as text.
        score: String(score),
        color,
        members: members.size,
      })),
    limit: boardCeiling,
  };
}

export const clanRoster = (world: SurvivalWorld, clan: Clan): Payload => ({
  clanId: clan.clanId,
  created: clan.created,
  motd: clan.motd,
  roles: roles.map((role) => ({ ...role })),
  members: [...clan.members.values()].map((member) => {
    const player = world.players.get(member.steamId);
    const role = roles.find(({ roleId }) => roleId === member.roleId);
    return {
      steamId: member.steamId,
      name: player?.name ?? "",
      roleId: member.roleId,
      role: role?.name ?? "",
      roleRank: role?.rank ?? roles.length,
      joinedAt: member.joinedAt,
      lastSeenAt: member.lastSeenAt,
      online: (player?.connectedAt ?? null) !== null,
      notes: member.notes,
    };
  }),
});

export const mapInfo = ({ save }: SurvivalWorld): Payload => ({
  saveId: save.saveId,
  worldSize: save.size,
  seed: save.seed,
  level: save.level,
  imageHash: save.image?.hash ?? null,
  width: save.image?.width ?? null,
  height: save.image?.height ?? null,
  oceanMargin: save.image?.oceanMargin ?? null,
  background: save.image?.background ?? null,
  monuments: save.monuments.map((monument) => ({ ...monument })),
});

export const npcPlacements = ({ npcs }: SurvivalWorld): Payload => ({
  placements: [...npcs.placements.values()].map((one) => ({
    name: one.name,
    spawned: one.lastSpawnAt !== null && one.problem === null,
    alive: aliveNpcsOf(npcs, one.name).length,
    expected: one.problem === null ? one.count : 0,
    lastSpawnAt: one.lastSpawnAt,
    lastDeathAt: one.lastDeathAt,
    problem: one.problem,
  })),
});

/**
 * Returns all permissions as pages. The first page has groups and permission names. Users fill as
 * many pages as needed.
 */
export function buildPermissionPages(world: SurvivalWorld, inventoryId: string): Payload[] {
  const { groups, users } = world.permissions;
  const holders = [...users.values()].map(({ steamId, groups: memberOf, permissions }) => ({
    steamId,
    name: world.players.get(steamId)?.name ?? "",
    groups: [...memberOf],
    permissions: [...permissions],
  }));
  const pages = paged(holders, world.sizes.inventoryPage);
  const nodes = [...world.plugins.values()].filter(({ loaded }) => loaded);
  const first = {
    groups: [...groups.values()].map((group) => ({
      ...group,
      permissions: [...group.permissions],
    })),
    permissions: nodes.flatMap(({ name: plugin, permissions }) =>
      permissions.map((name) => ({ name, plugin })),
    ),
  };
  return pages.map((page, index) => ({
    inventoryId,
    page: index + 1,
    pages: pages.length,
    ...(index === 0 ? first : { groups: [], permissions: [] }),
    users: page,
  }));
}

export function mapLive(world: SurvivalWorld, at: number): Payload {
  const { save, players } = world;
  const people = [...players.values()].filter(
    ({ connectedAt, sleeping }) => connectedAt !== null || sleeping,
  );
  return {
    at,
    gameTime: gameTimeAt(at),
    events: liveEvents(world, at),
    players: people.map((one) => ({
      steamId: one.steamId,
      name: one.name,
      x: one.x,
      z: one.z,
      rotation: one.rotation,
      health: one.health,
      ...(one.clanId === null ? {} : { clan: save.clans.clans.get(one.clanId)?.name ?? null }),
      sleeping: one.sleeping,
      dead: one.dead,
    })),
    bases: [...players.values()]
      .filter((_, index) => index % 4 === 0)
      .map(({ steamId }, index) => ({
        id: `tc-${index}`,
        ...baseOf(steamId, save.size),
        owner: steamId,
        auth: [steamId],
        protectedUntil: at + dayMs,
      })),
  };
}

/** Returns the payload that an event of positions keeps after a newer event has replaced it. */
export const clearLivePositions = ({ payload }: { readonly payload: Payload }): Payload => ({
  at: payload["at"],
  gameTime: payload["gameTime"],
  events: [],
  players: [],
  bases: [],
});

/** Returns the events on the map: a ship circles the island, and a helicopter crosses it. */
function liveEvents({ save }: SurvivalWorld, at: number): Payload[] {
  const turn = ((at % 1_800_000) / 1_800_000) * 2 * Math.PI;
  const reach = save.size * 0.6;
  const [x, z] = [Math.round(Math.cos(turn) * reach), Math.round(Math.sin(turn) * reach)];
  const rotation = Math.round((turn / Math.PI) * 180);
  const since = at - (at % 1_800_000);
  return [
    { id: "cargo-1", type: "cargoShip", x, z, rotation, label: "Cargo Ship", since },
    { id: "heli-1", type: "patrolHelicopter", x: -z / 2, z: x / 2, rotation, since },
    { id: "crate-1", type: "lockedCrate", x: 12.5, z: -40.25, since },
  ];
}

/** Returns the position of a player's base in a world of this size. */
function baseOf(steamId: string, size: number): { x: number; z: number } {
  const number = Number(steamId.slice(-6)) + size;
  const along = (factor: number): number => ((number * factor) % size) * 0.9 - size * 0.45;
  return { x: Math.round(along(7_919)), z: Math.round(along(104_729)) };
}

/** Splits rows into pages. An empty list has one empty page, because pages are numbered from 1. */
function paged<T>(rows: readonly T[], size: number): T[][] {
  const pages = Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
  return pages.length === 0 ? [[]] : pages;
}

export const buildPluginEntry = (plugin: Plugin): Payload => ({
  name: plugin.name,
  title: plugin.title,
  version: plugin.version,
  author: plugin.author,
  ...(plugin.helperId === null ? {} : { helperId: plugin.helperId }),
  permissions: [...plugin.permissions],
});
