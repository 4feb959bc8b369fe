import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import type { JsonObject } from "../../platform/bridge/json-text.ts";
import {
  answerMs,
  askGameSetup,
  askServerInfo,
  capabilitiesOf,
  type GameSetup,
  helloOf,
  probeMs,
  readPlayerList,
  type ServerInfo,
  statusOf,
} from "./console-answers.ts";
import { type ConsoleLine, eventOfLine, readConsoleLine } from "./console-lines.ts";
import type { ConsoleQuestions } from "./console-questions.ts";
import type { ConsoleState } from "./frame-buffer.ts";
import type { GameChange } from "./game-tracker.ts";
import { joinedEvent, leftEvent, onlineEvent } from "./player-tracker.ts";

/** Times in milliseconds. */
export const conversationTiming = {
  serverInfoMs: 10_000,
  playerListMs: 15_000,
  /** Time between two `player.online` events, which contain the whole list of players. */
  onlineMs: 60_000,
  /** Minimum time between two requests for the list of players after lines about players. */
  soonestListMs: 2_000,
  /** Time between two attempts to read missing facts about the game. */
  factsMs: 60_000,
  probeMs,
};

export interface ConversationOptions {
  readonly timing: typeof conversationTiming;
  /** True if the site has stored a position of an earlier stream. */
  readonly hasCursor: boolean;
  /** Called when the game first answers, and whenever the facts about the game change. */
  readonly onReady: (facts: GameSetup) => void;
  /** Called when the stream begins, even if the game is still starting. */
  readonly onStream: () => void;
}

/** Maximum number of lines that are kept until the stream begins. Further lines are dropped. */
const maxEarlyLines = 10_000;

/** One connection to a console: polls the state of the game, and reads the lines that the game logs. */
export class ConsoleConversation {
  readonly #questions: ConsoleQuestions;
  readonly #state: ConsoleState;
  readonly #options: ConversationOptions;
  #facts: GameSetup | null = null;
  #info: ServerInfo | null = null;
  #early: { readonly line: ConsoleLine; readonly at: number }[] | null = [];
  #onlineAt = -Infinity;
  #isHelloWanted = false;
  #hurry = Promise.withResolvers<void>();

  constructor(questions: ConsoleQuestions, state: ConsoleState, options: ConversationOptions) {
    this.#questions = questions;
    this.#state = state;
    this.#options = options;
  }

  get facts(): GameSetup | null {
    return this.#facts;
  }

  /** The hello of the game, for an administrator's test of the link; null while the game starts. */
  get hello(): JsonObject | null {
    if (!this.#info || !this.#facts) return null;
    const { game } = this.#state;
    const hello = helloOf({ info: this.#info, facts: this.#facts, startedAt: game.startedAt });
    const saveCreatedAt = game.world?.saveId ?? null;
    return { ...hello, world: { ...hello.world, saveCreatedAt } };
  }

  /** Polls the game until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const [info, facts] = await Promise.all([
      askServerInfo(this.#questions),
      askGameSetup(this.#questions, this.#options.timing.probeMs),
    ]);
    if (signal.aborted) return;
    if (info) this.#begin(info, facts);
    else this.#beginWithoutGame();
    this.#tellEarlyLines();
    const polls = [
      this.#pollServerInfo(signal),
      this.#pollPlayers(signal),
      this.#pollFacts(signal),
    ];
    await Promise.all(polls);
  }

  /** Processes a message that is not an answer to a command. */
  hear(message: JsonObject): void {
    const line = readConsoleLine(message);
    if (!line) return;
    const at = Date.now();
    if (!this.#early) return this.#tell(line, at);
    if (this.#early.length < maxEarlyLines) this.#early.push({ line, at });
  }

  /** Adds the current states of these families to the stream again. */
  async resend(families: readonly string[]): Promise<void> {
    if (families.includes("server")) {
      this.#isHelloWanted = true;
      const info = await askServerInfo(this.#questions);
      if (info && this.#info) this.#takeInfo(info);
    }
    if (families.includes("players")) {
      this.#onlineAt = -Infinity;
      await this.#askPlayers();
    }
  }

  /** Reads the list of players, and reports joins and leaves. @returns false without an answer */
  async #askPlayers(): Promise<boolean> {
    const list = await this.#questions.ask("playerlist", {
      read: readPlayerList,
      withinMs: answerMs,
    });
    if (!list || !this.#info) return false;
    const at = Date.now();
    const { players } = this.#state;
    const { joined, left } = players.update(list, at);
    for (const session of left) this.#state.putEvent(leftEvent(session, at));
    for (const session of joined) this.#state.putEvent(joinedEvent(session, at));
    if (at - this.#onlineAt >= this.#options.timing.onlineMs) {
      this.#onlineAt = at;
      this.#state.putEvent(onlineEvent(players.sessions, at));
    }
    return true;
  }

  /** Reads the list of players at once, for a command that needs it. */
  refreshPlayers(): Promise<boolean> {
    return this.#askPlayers();
  }

  #begin(info: ServerInfo, facts: GameSetup): void {
    const at = Date.now();
    this.#facts = facts;
    this.#info = info;
    const change = this.#followGame(info, at);
    const { game } = this.#state;
    this.#state.beginStream(game.bootId, capabilitiesOf(facts), this.#options.hasCursor);
    this.#options.onStream();
    this.#tellGame(info, change, at);
    this.#options.onReady(facts);
  }

  /** Begins the stream while the game does not answer, because it generates its map. */
  #beginWithoutGame(): void {
    const at = Date.now();
    this.#state.beginStream(null, [], this.#options.hasCursor);
    this.#options.onStream();
    this.#tellStarting(at);
    this.#state.putEvent(onlineEvent([], at));
  }

  #tellStarting(at: number): void {
    const payload = { state: "starting", players: 0, maxPlayers: 0 };
    this.#state.putState("server.status", payload, at);
  }

  async #pollServerInfo(signal: AbortSignal): Promise<void> {
    while (await this.#pause(this.#options.timing.serverInfoMs, signal)) {
      const info = await askServerInfo(this.#questions);
      if (signal.aborted) return;
      if (!info) {
        if (!this.#info) this.#tellStarting(Date.now());
        continue;
      }
      if (this.#info) this.#takeInfo(info);
      else await this.#takeFirstInfo(info, signal);
    }
  }

  /** Asks again while facts are missing, because a slow console may not have answered in time. */
  async #pollFacts(signal: AbortSignal): Promise<void> {
    const { factsMs, probeMs: withinMs } = this.#options.timing;
    while (await this.#pause(factsMs, signal)) {
      if (!this.#facts || (this.#facts.loader && this.#facts.isMapKnown)) continue;
      const found = await askGameSetup(this.#questions, withinMs);
      if (signal.aborted) return;
      const known = this.#facts;
      const loader = known.loader ?? found.loader;
      const facts = { ...(known.isMapKnown ? known : found), loader };
      if (isDeepStrictEqual(facts, known)) continue;
      this.#facts = facts;
      this.#isHelloWanted = true;
      this.#options.onReady(facts);
    }
  }

  /** Handles the first answer of a game that was starting when the connection began. */
  async #takeFirstInfo(info: ServerInfo, signal: AbortSignal): Promise<void> {
    const facts = await askGameSetup(this.#questions, this.#options.timing.probeMs);
    if (signal.aborted) return;
    const at = Date.now();
    this.#facts = facts;
    this.#info = info;
    const change = this.#followGame(info, at);
    this.#tellBoot();
    this.#tellGame(info, change, at);
    this.#options.onReady(facts);
    this.#hurry.resolve();
  }

  #takeInfo(info: ServerInfo): void {
    const at = Date.now();
    const hadWorld = this.#state.game.world;
    this.#info = info;
    const change = this.#followGame(info, at);
    if (change.isNewBoot) {
      this.#tellBoot();
      if (this.#facts) this.#options.onReady(this.#facts);
    }
    const isOther = hadWorld?.saveId !== this.#state.game.world?.saveId;
    const isHelloDue = this.#isHelloWanted || change.isNewBoot || isOther;
    this.#isHelloWanted = false;
    if (isHelloDue) this.#tellGame(info, change, at);
    else this.#state.putState("server.status", statusOf(info), at);
  }

  #tellBoot(): void {
    const { bootId } = this.#state.game;
    this.#state.buffer.put({ type: "plugin", connected: true, bootId });
  }

  #followGame(info: ServerInfo, at: number): GameChange {
    const change = this.#state.game.update(info, at);
    if (change.isNewBoot) this.#state.players.restart();
    return change;
  }

  #tellGame(info: ServerInfo, { wiped }: GameChange, at: number): void {
    const { game } = this.#state;
    const facts = this.#facts;
    if (!facts) return;
    const { world } = game;
    if (world && wiped) {
      const { loader: _loader, levelUrl: _levelUrl, seed, worldSize: size } = facts;
      const payload = {
        saveId: world.saveId,
        previousSaveId: wiped.saveId,
        saveProtocol: world.saveProtocol,
        previousProtocol: wiped.saveProtocol,
        blueprints: "unknown",
        level: info.level,
        seed,
        size,
      };
      const eventKey = `wipe:${world.saveId}`;
      this.#state.putEvent({ kind: "world.wiped", payload, eventKey, t: at });
    }
    const { hello } = this;
    if (hello && world) this.#state.putState("server.hello", hello, at);
    this.#state.putState("server.status", statusOf(info), at);
  }

  async #pollPlayers(signal: AbortSignal): Promise<void> {
    const { playerListMs, soonestListMs } = this.#options.timing;
    do {
      this.#hurry = Promise.withResolvers();
      if (this.#info) await this.#askPlayers();
      if (!(await this.#pause(Math.min(soonestListMs, playerListMs), signal))) return;
      const rest = this.#pause(Math.max(0, playerListMs - soonestListMs), signal);
      await Promise.race([rest, this.#hurry.promise]);
    } while (!signal.aborted);
  }

  /** @returns false if the signal aborted */
  async #pause(ms: number, signal: AbortSignal): Promise<boolean> {
    await sleep(ms, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  }

  #tellEarlyLines(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const { line, at } of early) this.#tell(line, at);
  }

  #tell(line: ConsoleLine, at: number): void {
    if (line.type !== "presence") return this.#state.putEvent(eventOfLine(line, at));
    if (line.steamId !== null && line.reason !== null) {
      this.#state.players.setReason(line.steamId, line.reason);
    }
    this.#hurry.resolve();
  }
}
