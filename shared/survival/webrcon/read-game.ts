import type { SurvivalPayload } from "../kinds/kinds.ts";
import { readServerInfo, readVersion, type ServerInfo, variableReader } from "./console-answers.ts";
import type { ConsoleQuestions } from "./console-questions.ts";
import { protocolParts } from "./game-tracker.ts";
import { readGameHours } from "./save-time.ts";

/** Milliseconds within which the console answers a question. */
export const answerMs = 5_000;
/** Milliseconds after which a mod loader that does not answer its version is not there. */
export const probeMs = 3_000;

/** A mod loader, by the first word of its commands. */
export interface ModLoader {
  readonly name: "oxide" | "carbon";
  readonly prefix: "oxide" | "c";
  readonly version: string | null;
}

/** Facts that are asked for once a connection. */
export interface GameFacts {
  readonly loader: ModLoader | null;
  readonly seed: string | null;
  readonly worldSize: number | null;
  readonly levelUrl: string | null;
}

export const askServerInfo = (questions: ConsoleQuestions): Promise<ServerInfo | null> =>
  questions.ask("serverinfo", { read: readServerInfo, withinMs: answerMs });

/** Asks for the facts. The commands of a mod loader that is not there are never answered. */
export async function askFacts(
  questions: ConsoleQuestions,
  withinMs = probeMs,
): Promise<GameFacts> {
  const variable = (name: string): Promise<string | null> =>
    questions.ask(name, { read: variableReader(name), withinMs: answerMs });
  const version = (prefix: ModLoader["prefix"]): Promise<string | null> =>
    questions.ask(`${prefix}.version`, { read: readVersion, withinMs });
  const [carbon, oxide, seed, size, levelUrl] = await Promise.all([
    version("c"),
    version("oxide"),
    variable("server.seed"),
    variable("server.worldsize"),
    variable("server.levelurl"),
  ]);
  // Carbon may answer the commands of Oxide too.
  const loader: ModLoader | null =
    carbon !== null
      ? { name: "carbon", prefix: "c", version: carbon }
      : oxide !== null
        ? { name: "oxide", prefix: "oxide", version: oxide }
        : null;
  // With a custom map, seed and size are configured values without a meaning.
  if (levelUrl) return { loader, seed: null, worldSize: null, levelUrl: levelUrl.slice(0, 2_048) };
  const worldSize = /^\d{1,9}$/.test(size ?? "") ? Number(size) : null;
  return { loader, seed: seed?.slice(0, 32) ?? null, worldSize, levelUrl: null };
}

/** Returns the capabilities of a console: permissions need a mod loader. */
export const capabilitiesOf = ({ loader }: GameFacts): string[] => [
  "announce",
  "moderation",
  ...(loader ? ["perm"] : []),
];

interface HelloInput {
  readonly info: ServerInfo;
  readonly facts: GameFacts;
  /** Epoch milliseconds; null if unknown. */
  readonly startedAt: number | null;
}

/** The hello without the creation time of the save, which may be unreadable. */
export function helloOf({ info, facts, startedAt }: HelloInput) {
  const { loader, seed, worldSize, levelUrl } = facts;
  const { network, save } = protocolParts(info.protocol);
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
