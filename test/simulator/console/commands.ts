import { quoteValue, type ParsedCommand } from "./splitter.ts";
import { type ConsoleWorld, formatDate } from "./world.ts";

/** A message that the game sends by itself or because of a command, in addition to the answer. */
export interface GameConsoleMessage {
  readonly type: "Generic" | "Chat" | "Error" | "Warning" | "Report" | "ClientPerf";
  readonly text: string;
  /** False for a message that only the client of the command receives. */
  readonly isForAll: boolean;
}

/** The result of a command: a text, or null for no answer, as for an unknown command. */
export interface CommandResult {
  readonly text: string | null;
  /** Lines that the command logs. They are sent with its identifier. */
  readonly logged?: readonly string[];
  readonly told?: readonly GameConsoleMessage[];
}

const silent: CommandResult = { text: null };
const empty: CommandResult = { text: "" };
const indented = (value: unknown): string => JSON.stringify(value, null, 2);

type Command = (read: ParsedCommand, world: ConsoleWorld) => CommandResult;

/** Returns the chat entry for the command `say`. Only the client that sent the command receives the entry. */
const serverWords = (text: string, world: ConsoleWorld): GameConsoleMessage => ({
  type: "Chat",
  text: indented({
    Channel: 2,
    Message: text,
    UserId: "0",
    Username: "SERVER",
    Color: "#eee",
    Time: Math.floor(world.clock() / 1_000),
  }),
  isForAll: false,
});

export const leaveLine = (
  { address, steamId, name }: { readonly address: string; steamId: string; name: string },
  reason: string,
): GameConsoleMessage => ({
  type: "Generic",
  text: `${address}/${steamId}/${name} disconnecting: ${reason}`,
  isForAll: true,
});

/** Finds a player by id or by a part of the name, as the game does. */
const findPlayer = (world: ConsoleWorld, given = "") =>
  world.players.get(given) ??
  [...world.players.values()].find(({ name }) => name.toLowerCase().includes(given.toLowerCase()));

function removePlayer(world: ConsoleWorld, steamId: string, reason: string): GameConsoleMessage[] {
  const player = world.players.get(steamId);
  if (!player) return [];
  world.players.delete(steamId);
  return [leaveLine(player, reason)];
}

const durationUnits: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  M: 2_592_000,
  Y: 31_536_000,
};

/** Returns the end of a ban in epoch seconds; -1 for a permanent ban. */
function readExpiry(given: string | undefined, now: number): number {
  const [, digits, unit = "h"] = /^(\d+)([smhdwMY])?$/.exec(given ?? "") ?? [];
  if (digits === undefined) return -1;
  const seconds = Number(digits) * (durationUnits[unit] ?? 3_600);
  return seconds > 315_360_000 ? seconds : Math.floor(now / 1_000) + seconds;
}

function ban({ args }: ParsedCommand, world: ConsoleWorld): CommandResult {
  const [steamId = "", name = "unnamed", reason = "no reason", duration] = args;
  if (!/^\d+$/.test(steamId) || BigInt(steamId) < 70_000_000_000_000_000n) {
    return { text: `This doesn't appear to be a 64bit steamid: ${steamId}` };
  }
  if (world.bans.some((each) => each.steamId === steamId)) {
    return { text: `User ${steamId} is already banned` };
  }
  const expiry = readExpiry(duration, world.clock());
  const isPast = expiry !== -1 && expiry * 1_000 < world.clock();
  if (isPast) return { text: "Expiry time is in the past" };
  const { owner } = world.players.get(steamId) ?? {};
  world.bans.push({ steamId, name, reason, expiry });
  if (owner !== undefined) world.bans.push({ steamId: owner, name, reason, expiry });
  return {
    text: `Banned User: ${steamId} - "${name}" for "${reason}"`,
    logged: [`Added ${steamId} to the list of bans`],
    told: removePlayer(world, steamId, `Banned: ${reason}`),
  };
}

function unban({ args: [steamId = ""] }: ParsedCommand, world: ConsoleWorld): CommandResult {
  const at = world.bans.findIndex((each) => each.steamId === steamId);
  if (at < 0) return { text: `User ${steamId} isn't banned` };
  world.bans.splice(at, 1);
  return { text: `Unbanned User: ${steamId}` };
}

function kick({ args }: ParsedCommand, world: ConsoleWorld): CommandResult {
  const player = findPlayer(world, args[0]);
  if (!player) return { text: "Player not found" };
  const reason = args[1] ?? "no reason given";
  return {
    text: `Kicked: ${player.name}`,
    told: [
      serverWords(`Kicking ${player.name} (${reason})`, world),
      ...removePlayer(world, player.steamId, `Kicked: ${reason}`),
    ],
  };
}

function banList(world: ConsoleWorld): string {
  return world.bans
    .filter(({ expiry }) => expiry === -1 || expiry * 1_000 > world.clock())
    .map(({ steamId, name, reason, expiry }, at) =>
      [at + 1, steamId, quoteValue(name), quoteValue(reason), expiry].join(" "),
    )
    .join("\n");
}

const serverInfo = (world: ConsoleWorld): object => ({
  Hostname: world.hostname,
  MaxPlayers: world.maxPlayers,
  Players: world.players.size,
  Queued: 0,
  Joining: 0,
  ReservedSlots: 0,
  EntityCount: 40_128,
  GameTime: formatDate(world.savedAt + world.uptimeSec * 24_000, world.dates),
  Uptime: world.uptimeSec,
  Map: "Procedural Map",
  Framerate: 59.4,
  Memory: 6_120,
  MemoryUsageSystem: 9_000,
  Collections: 84,
  NetworkIn: 1_200,
  NetworkOut: 48_000,
  Restarting: world.isRestarting,
  SaveCreatedTime: formatDate(world.savedAt, world.dates),
  Version: 2_591,
  Protocol: "2600.287.1",
});

const playerList = (world: ConsoleWorld): object[] =>
  [...world.players.values()].map((player) => ({
    SteamID: player.steamId,
    OwnerSteamID: player.owner ?? player.steamId,
    DisplayName: player.name,
    Ping: 34,
    Address: player.address,
    ConnectedSeconds: Math.max(0, Math.floor((world.clock() - player.connectedAt) / 1_000)),
    VoiationLevel: 0,
    CurrentLevel: 0,
    UnspentXp: 0,
    Health: 97.5,
  }));

const variable =
  (name: string, read: (world: ConsoleWorld) => string): Command =>
  (_read, world) => ({ text: `${name}: ${quoteValue(read(world))}` });

/** CATALOGUE of the commands of the game, by group and name. */
export const gameCommands: Readonly<Record<string, Command>> = {
  "global.serverinfo": (_read, world) => ({ text: indented(serverInfo(world)) }),
  "global.playerlist": (_read, world) => ({ text: indented(playerList(world)) }),
  "global.say": ({ rest }, world) => ({ text: "", told: [serverWords(rest, world)] }),
  "global.kick": kick,
  "global.banid": ban,
  "global.unban": unban,
  "global.banlistex": (_read, world) => ({ text: banList(world) }),
  "global.save": () => ({ ...empty, logged: ["Saving complete"] }),
  "server.writecfg": (_read, world) => {
    world.configWrites += 1;
    return { text: "Config Saved" };
  },
  "server.seed": variable("server.seed", ({ seed }) => String(seed)),
  "server.worldsize": variable("server.worldsize", ({ worldSize }) => String(worldSize)),
  "server.levelurl": variable("server.levelurl", ({ levelUrl }) => levelUrl),
  "server.throw": () => ({ text: "Error: Server.Throw - out of range (Assembly-CSharp)" }),
};

/** Runs a command of the game. An unknown command has no answer. */
export function runCommand(read: ParsedCommand, world: ConsoleWorld): CommandResult {
  const command = gameCommands[read.name];
  // The game answers no command while it generates the map.
  return command && !world.isGenerating ? command(read, world) : silent;
}
