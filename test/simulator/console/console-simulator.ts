import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { WebSocket, WebSocketServer } from "ws";

import { Listener } from "../listener.ts";
import { type GameConsoleMessage, leaveLine, runCommand } from "./commands.ts";
import { runModCommand } from "./mod-commands.ts";
import { readCommand, type ArgumentSyntax } from "./splitter.ts";
import { ConsoleWorld, type SimPlayer, type WorldOptions } from "./world.ts";

export interface ConsoleOptions extends WorldOptions {
  readonly password?: string;
  readonly port?: number;
  readonly splitter?: ArgumentSyntax;
  /** Milliseconds for which an address is banned after too many wrong passwords. */
  readonly banMs?: number;
}

/** The bytes of a WebSocket close frame, with which the console answers a wrong password. */
const closeFrame = Buffer.from([0x88, 0x02, 0x03, 0xe8]);
const mostFailures = 5;

/** Simulates the WebSocket console of a Rust server, with a small game. */
export class ConsoleSimulator {
  readonly world: ConsoleWorld;
  readonly password: string;
  /** The commands that arrived, oldest first. */
  readonly received: string[] = [];
  /** Number of attempts to connect, with a right or a wrong password. */
  dials = 0;
  /** If true, the console receives commands but does not answer. */
  isMute = false;
  /** Answers that replace those of the game, by command; null for no answer. */
  readonly answers = new Map<string, string | null>();
  /** Milliseconds before each answer. */
  answerDelayMs = 0;
  readonly #splitter: ArgumentSyntax;
  readonly #banMs: number;
  readonly #server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #clients = new Set<WebSocket>();
  readonly #listener: Listener;
  #failures = 0;
  #bannedUntil = 0;

  constructor(options: ConsoleOptions = {}) {
    this.world = new ConsoleWorld(options);
    this.password = options.password ?? "hunter2-Zz!~%41";
    this.#splitter = options.splitter ?? "new";
    this.#banMs = options.banMs ?? 300_000;
    this.#listener = new Listener({
      host: "127.0.0.1",
      port: options.port ?? 0,
      request: (request) => request.socket.end(closeFrame),
      upgrade: (request, socket, head) => this.#upgrade(request, socket, head),
    });
  }

  get port(): number {
    return this.#listener.port;
  }

  get clients(): number {
    return this.#clients.size;
  }

  open(): Promise<void> {
    return this.#listener.open();
  }

  /** Ends all connections and refuses new ones, as after the game process ended. */
  close(): Promise<void> {
    for (const client of this.#clients) client.terminate();
    return this.#listener.close();
  }

  /** Cuts all connections. Clients may connect again. */
  cut(): void {
    for (const client of this.#clients) client.terminate();
  }

  /** Writes a line of the game to all clients. */
  log(text: string, type: GameConsoleMessage["type"] = "Generic"): void {
    this.#broadcast({ type, text, isForAll: true });
  }

  join(steamId: string, name: string, more: Partial<SimPlayer> = {}): void {
    const { address } = this.world.join(steamId, name, more);
    this.log(`${address}/${steamId}/${name} joined [windows/${more.owner ?? steamId}]`);
    this.log(`${name}[${steamId}] has entered the game`);
  }

  leave(steamId: string, reason = "disconnect"): void {
    const player = this.world.players.get(steamId);
    if (!player) return;
    this.world.players.delete(steamId);
    this.#broadcast(leaveLine(player, reason));
  }

  /** A player writes in a channel. The console sends an entry of type `Chat` and a line. */
  chat(steamId: string, message: string, channel = 0): void {
    const name = this.world.players.get(steamId)?.name ?? "Unnamed";
    const time = Math.floor(this.world.clock() / 1_000);
    const entry = { Channel: channel, Message: message, UserId: steamId, Username: name };
    const labels: Readonly<Record<number, string>> = { 0: "[CHAT]", 1: "[TEAM CHAT]" };
    this.log(`${labels[channel] ?? "[CLAN CHAT]"} ${name}[${steamId}] : ${message}`);
    this.log(JSON.stringify({ ...entry, Color: "#5af", Time: time }, null, 2), "Chat");
  }

  /** A player reports another player with F7. */
  report(reporter: string, target: string, subject: string, message: string): void {
    const nameOf = (steamId: string): string => this.world.players.get(steamId)?.name ?? "Unnamed";
    const report = {
      PlayerId: reporter,
      PlayerName: nameOf(reporter),
      TargetId: target,
      TargetName: nameOf(target),
      Subject: subject,
      Message: message,
      Type: "cheat",
    };
    this.log(
      `[PlayerReport] ${nameOf(reporter)}[${reporter}] reported ${nameOf(target)}[${target}] - "${subject}"`,
    );
    this.log(JSON.stringify(report, null, 2), "Report");
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.dials += 1;
    const isRight = request.url === `/${this.password}`;
    const isBanned = this.world.clock() < this.#bannedUntil;
    if (!isRight || isBanned) {
      if (!isBanned) this.#failures += 1;
      if (this.#failures >= mostFailures) this.#bannedUntil = this.world.clock() + this.#banMs;
      socket.end(closeFrame);
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (client) => {
      this.#clients.add(client);
      client.on("close", () => this.#clients.delete(client));
      client.on("error", () => undefined);
      client.on("message", (data: Buffer) => this.#receive(client, data.toString()));
    });
  }

  #receive(client: WebSocket, text: string): void {
    const command = parseCommand(text);
    if (!command) return;
    this.received.push(command.message);
    if (this.isMute) return;
    if (this.answerDelayMs > 0) setTimeout(() => this.#answer(client, command), this.answerDelayMs);
    else this.#answer(client, command);
  }

  #answer(client: WebSocket, { identifier, message }: ReceivedCommand): void {
    const read = readCommand(message, this.#splitter);
    const given = this.answers.get(message);
    const result =
      given === undefined
        ? (runModCommand(read, this.world) ?? runCommand(read, this.world))
        : { text: given };
    for (const line of result.logged ?? []) {
      send(client, { identifier, type: "Generic", text: line });
    }
    for (const told of result.told ?? []) {
      if (told.isForAll) this.#broadcast(told);
      else send(client, { identifier: -1, ...told });
    }
    if (result.text !== null) send(client, { identifier, type: "Generic", text: result.text });
  }

  #broadcast({ type, text }: GameConsoleMessage): void {
    const identifier = type === "Chat" || type === "Report" ? -1 : 0;
    for (const client of this.#clients) send(client, { identifier, type, text });
  }
}

interface ReceivedCommand {
  readonly identifier: number;
  readonly message: string;
}

function parseCommand(text: string): ReceivedCommand | null {
  try {
    const { Identifier: identifier, Message: message } = JSON.parse(text) as Record<
      string,
      unknown
    >;
    return Number.isInteger(identifier) && typeof message === "string"
      ? { identifier: Number(identifier), message }
      : null;
  } catch {
    return null;
  }
}

function send(
  client: WebSocket,
  { identifier, type, text }: { identifier: number; type: string; text: string },
): void {
  if (client.readyState !== WebSocket.OPEN) return;
  const message = { Message: text, Identifier: identifier, Type: type, Stacktrace: "" };
  client.send(JSON.stringify(message, null, 2));
}

/** Starts a simulated console on a free port. */
export async function startConsole(options: ConsoleOptions = {}): Promise<ConsoleSimulator> {
  const simulator = new ConsoleSimulator(options);
  await simulator.open();
  return simulator;
}
