import { setTimeout as sleep } from "node:timers/promises";

import {
  isObject,
  type JsonObject,
  parseObject,
  stringifyLongInteger,
} from "../../platform/bridge/json-text.ts";
import { steamIdPattern } from "../kinds/fields.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import type { ConsoleQuestions } from "./console-questions.ts";
import { readProtocolVersions, readGameHours } from "./game-tracker.ts";

// Parsers of the console's answers to the site's commands.

/** The fields of the answer to `serverinfo` that the site uses. */
export interface ServerInfo {
  readonly hostname: string;
  readonly players: number;
  readonly maxPlayers: number;
  readonly queued: number | null;
  readonly joining: number | null;
  readonly entities: number | null;
  readonly gameTime: string;
  /** Seconds since the game process started; null if unknown. */
  readonly uptimeSec: number | null;
  readonly level: string | null;
  readonly fps: number | null;
  readonly isRestarting: boolean;
  readonly saveCreated: string;
  /** Versions of the network protocol, the save format and a counter, such as `2511.254.1`. */
  readonly protocol: string | null;
}

const maxCount = 0x7fff_ffff;
/** Maximum lengths of answers in characters. Parsing a longer text with many numbers takes seconds. */
const longestInfo = 64 * 1024;
const longestList = 1024 * 1024;

const countOf = (value: unknown): number | null =>
  typeof value === "number" && value >= 0 && value <= maxCount ? Math.trunc(value) : null;

const textOf = (value: unknown, longest: number): string =>
  typeof value === "string" ? value.slice(0, longest) : "";

/** Reads the answer to `serverinfo`. @returns undefined for any other text */
export function readServerInfo(text: string): ServerInfo | undefined {
  const info = text.length > longestInfo ? undefined : parseObject(text);
  const maxPlayers = countOf(info?.MaxPlayers);
  if (!info || maxPlayers === null || typeof info.Hostname !== "string") return undefined;
  return {
    hostname: textOf(info.Hostname, 256),
    players: countOf(info.Players) ?? 0,
    maxPlayers,
    queued: countOf(info.Queued),
    joining: countOf(info.Joining),
    entities: countOf(info.EntityCount),
    gameTime: textOf(info.GameTime, 64),
    uptimeSec: countOf(info.Uptime),
    level: textOf(info.Map, 256) || null,
    fps: typeof info.Framerate === "number" && info.Framerate >= 0 ? info.Framerate : null,
    isRestarting: info.Restarting === true,
    saveCreated: textOf(info.SaveCreatedTime, 64),
    protocol: textOf(info.Protocol, 64) || null,
  };
}

/** A player in the answer to `playerlist`, without the player's network address. */
export interface ListedPlayer {
  readonly steamId: string;
  /** The account from which the player borrows the game; null if the player owns the game. */
  readonly ownerSteamId: string | null;
  readonly name: string;
  readonly connectedSec: number;
}

/** Reads the answer to `playerlist`. @returns undefined if the text is not a list of players */
export function readPlayerList(text: string): readonly ListedPlayer[] | undefined {
  if (text.length > longestList || !text.trimStart().startsWith("[")) return undefined;
  const rows = parseObject(`{"list":${text}}`)?.list;
  if (!Array.isArray(rows)) return undefined;
  const players = new Map<string, ListedPlayer>();
  for (const row of rows) {
    if (!isObject(row)) return undefined;
    const player = readListedPlayer(row);
    if (player) players.set(player.steamId, player);
  }
  return [...players.values()];
}

function readListedPlayer(row: JsonObject): ListedPlayer | null {
  const steamId = accountOf(row.SteamID);
  const connectedSec = countOf(row.ConnectedSeconds);
  if (steamId === null || connectedSec === null) return null;
  const owner = accountOf(row.OwnerSteamID);
  return {
    steamId,
    ownerSteamId: owner === steamId ? null : owner,
    name: textOf(row.DisplayName, 256),
    connectedSec,
  };
}

function accountOf(value: unknown): string | null {
  const id = stringifyLongInteger(value);
  return typeof id === "string" && steamIdPattern.test(id) ? id : null;
}

/** Returns a parser of the console's answer to the name of a variable, such as `server.seed: "1337"`. */
export function variableReader(name: string): (text: string) => string | undefined {
  const start = `${name.toLowerCase()}:`;
  return (text) => {
    const line = text.trim();
    if (!line.toLowerCase().startsWith(start)) return undefined;
    const [, value] = /"((?:\\"|[^"])*)"/.exec(line.slice(start.length)) ?? [];
    return value?.replaceAll('\\"', '"');
  };
}

/** Returns the version in a mod loader's answer; undefined if the answer contains none. */
export const readVersion = (text: string): string | undefined =>
  /\d+(?:\.\d+){1,3}/.exec(text)?.[0].slice(0, 64);

export interface ListedBan {
  readonly steamId: string;
  readonly name: string;
  readonly reason: string;
  /** Epoch milliseconds; null for a permanent ban. */
  readonly expiresAt: number | null;
}

const banLine = /^\d+ (\d{17}) "((?:\\"|[^"])*)" "((?:\\"|[^"])*)"(?: (-?\d+))?$/u;

/** Reads the answer to `banlistex`. Skips lines that are not bans. */
export function readBans(text: string): ListedBan[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, steamId, name = "", reason = "", expiry = "-1"] = banLine.exec(line.trim()) ?? [];
    if (steamId === undefined || !steamIdPattern.test(steamId)) return [];
    const seconds = Number(expiry);
    const isPermanent = !(seconds > 0 && seconds < 253_402_300_800);
    return [
      {
        steamId,
        name: name.replaceAll('\\"', '"').slice(0, 256),
        reason: reason.replaceAll('\\"', '"').slice(0, 500),
        expiresAt: isPermanent ? null : seconds * 1_000,
      },
    ];
  });
}

/** Timeout of the console's answer to a command, in milliseconds. */
export const answerMs = 5_000;
/** A mod loader is absent if it did not answer this many milliseconds after a later command's answer. */
export const probeMs = 3_000;

/** A mod loader. Its commands begin with `prefix`. */
export interface ModLoader {
  readonly name: "oxide" | "carbon";
  readonly prefix: "oxide" | "c";
  readonly version: string | null;
}

/** Facts about the game server that the feed requests after it connects, and again while some are missing. */
export interface GameSetup {
  readonly loader: ModLoader | null;
  readonly seed: string | null;
  readonly worldSize: number | null;
  readonly levelUrl: string | null;
  /** False if the console did not answer `server.levelurl`. */
  readonly isMapKnown: boolean;
}

export const askServerInfo = (questions: ConsoleQuestions): Promise<ServerInfo | null> =>
  questions.ask("serverinfo", { read: readServerInfo, withinMs: answerMs });

/**
 * Asks for the facts. The console never answers the commands of a mod loader that is not installed. The console
 * answers in order, so stop waiting for a version `withinMs` after a later command was answered.
 */
export async function askGameSetup(
  questions: ConsoleQuestions,
  withinMs = probeMs,
): Promise<GameSetup> {
  const variable = (name: string): Promise<string | null> =>
    questions.ask(name, { read: variableReader(name), withinMs: answerMs });
  const version = (prefix: ModLoader["prefix"]): Promise<string | null> =>
    questions.ask(`${prefix}.version`, { read: readVersion, withinMs: answerMs + withinMs });
  const versions = [version("c"), version("oxide")] as const;
  const map = [variable("server.seed"), variable("server.worldsize")] as const;
  const asked = variable("server.levelurl");
  const absent = asked.then(() => sleep(withinMs, null, { ref: false }));
  const [carbon = null, oxide = null] = await Promise.all(
    versions.map((answer) => Promise.race([answer, absent])),
  );
  const [seed, size, levelUrl] = await Promise.all([...map, asked]);
  // Carbon may also answer the commands of Oxide, so test for Carbon first.
  const loader: ModLoader | null =
    carbon !== null
      ? { name: "carbon", prefix: "c", version: carbon }
      : oxide !== null
        ? { name: "oxide", prefix: "oxide", version: oxide }
        : null;
  return { loader, ...readMap({ seed, size, levelUrl }) };
}

/** Seed and size describe only a generated map: drop them for a custom or an unknown map. */
function readMap({
  seed,
  size,
  levelUrl,
}: Readonly<Record<"seed" | "size" | "levelUrl", string | null>>): Omit<GameSetup, "loader"> {
  const isMapKnown = levelUrl !== null;
  if (levelUrl !== "") {
    const address = levelUrl?.slice(0, 2_048) ?? null;
    return { seed: null, worldSize: null, levelUrl: address, isMapKnown };
  }
  const worldSize = /^\d{1,9}$/.test(size ?? "") ? Number(size) : null;
  return { seed: seed?.slice(0, 32) ?? null, worldSize, levelUrl: null, isMapKnown };
}

/** Returns the capabilities of a console: permissions need a mod loader. */
export const capabilitiesOf = ({ loader }: GameSetup): string[] => [
  "announce",
  "moderation",
  ...(loader ? ["perm"] : []),
];

interface HelloInput {
  readonly info: ServerInfo;
  readonly facts: GameSetup;
  /** Epoch milliseconds; null if unknown. */
  readonly startedAt: number | null;
}

/** Returns the hello, except the save's creation time, which only `GameTracker` can read. */
export function helloOf({ info, facts, startedAt }: HelloInput) {
  const { loader, seed, worldSize, levelUrl } = facts;
  const { network, save } = readProtocolVersions(info.protocol);
  return {
    serverName: info.hostname,
    framework: loader && { name: loader.name, version: loader.version },
    game: { version: info.protocol, protocolNetwork: network, protocolSave: save },
    plugin: null,
    startedAt,
    worldReady: true,
    world: { level: info.level, seed, size: worldSize, levelUrl },
    helpers: [],
    capabilities: capabilitiesOf(facts),
  };
}

export const statusOf = (info: ServerInfo): SurvivalPayload<"server.status"> => ({
  state: info.isRestarting ? "restarting" : "online",
  players: info.players,
  maxPlayers: info.maxPlayers,
  queued: info.queued,
  joining: info.joining,
  fps: info.fps,
  uptimeSec: info.uptimeSec,
  gameTime: readGameHours(info.gameTime),
  entities: info.entities,
});
