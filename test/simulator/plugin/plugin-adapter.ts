import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { WebSocket } from "ws";

import { Outbox } from "./outbox.ts";
import { type SiteAnswer, SiteCalls } from "./site-calls.ts";

/** A simulated sidecar, which knows its game. */
export interface AdaptedSidecar {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly token: string;
}

export interface AdapterOptions {
  readonly sidecar: AdaptedSidecar;
  readonly game: "uo" | "rust";
  /** Version of the sidecar's protocol. */
  readonly protocol: number;
  /** Where the plugin calls: one address, or those of several web processes; and its key. */
  readonly url: string | readonly string[];
  readonly key: string;
  /** Called when the game process has gone, and no call of its plugin is under way any more. */
  readonly onGone?: (() => Promise<void>) | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const retryMs = 200;
/** How long after the time of a call the plugin looks for an outcome that did not come. */
const lateMs = 1_000;

/**
 * The plugin form of a simulator: it follows the sidecar of a simulated game, and calls the site with
 * what that says, as a plugin in the game would. Commands of the site go to the sidecar's control plane.
 */
export class PluginAdapter {
  readonly #options: AdapterOptions;
  readonly #site: SiteCalls;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  readonly #greeted = Promise.withResolvers<void>();

  constructor(options: AdapterOptions) {
    this.#options = options;
    this.#site = new SiteCalls([options.url].flat(), options.key);
    this.#running = this.#run();
  }

  /** The web process that it calls now. */
  get siteUrl(): string {
    return this.#site.url;
  }

  /** Settles when the site has answered the first hello, or as soon as there is no game to speak for. */
  get greeted(): Promise<void> {
    return this.#greeted.promise;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await this.#session().catch(() => undefined);
      this.#greeted.resolve();
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** From a connection to the sidecar until it ends, or the site wants another hello. */
  async #session(): Promise<void> {
    const { sidecar, protocol } = this.#options;
    const ended = new AbortController();
    const signal = AbortSignal.any([this.#ending.signal, ended.signal]);
    const url = new URL(sidecar.wsUrl);
    url.searchParams.set("protocol", String(protocol));
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${sidecar.token}` } });
    const frames: Fields[] = [];
    let arrived = Promise.withResolvers<void>();
    socket.on("message", (data: Buffer) => {
      const frame = readFrame(data);
      if (frame) frames.push(frame);
      arrived.resolve();
    });
    socket.on("error", () => ended.abort());
    socket.on("close", () => ended.abort());
    signal.addEventListener("abort", () => {
      socket.terminate();
      arrived.resolve();
    });
    const nextFrames = async (): Promise<Fields[]> => {
      while (frames.length === 0 && !signal.aborted) {
        arrived = Promise.withResolvers();
        await arrived.promise;
      }
      return frames.splice(0);
    };
    try {
      const [hello, ...early] = await nextFrames();
      if (hello?.["type"] !== "hello") return;
      frames.unshift(...early);
      const acknowledge = (seq: number): void => {
        socket.send(JSON.stringify({ type: "ack", epoch: hello["epoch"], seq }));
      };
      const line = { nextFrames, acknowledge };
      if (hello["pluginConnected"] === true) await this.#follow(hello, line, signal);
      else {
        await this.#options.onGone?.();
        this.#greeted.resolve();
        await waitForGame(nextFrames, signal);
      }
    } finally {
      ended.abort();
    }
  }

  async #follow(
    hello: Fields,
    { nextFrames, acknowledge }: SidecarLine,
    signal: AbortSignal,
  ): Promise<void> {
    const { epoch, oldest, head, capabilities } = hello;
    let bootId = String(hello["bootId"]);
    const seqOf = (answer: SiteAnswer) => (answer.body["cursor"] as { seq: number } | null)?.seq;
    const greet = async () => {
      const welcome = await this.#site.post(
        "/hello",
        {
          protocol: 1,
          game: this.#options.game,
          plugin: { name: "Guildhall for simulators", version: "1.0.0" },
          server: serverOf(hello),
          bootId,
          epoch,
          oldest,
          head,
          capabilities,
        },
        signal,
      );
      if (welcome.status !== 200) throw new Error(`hello was answered ${welcome.status}`);
      await this.#resync(welcome.body["resync"] as readonly string[], signal);
      return welcome;
    };
    const outbox = new Outbox(seqOf(await greet()) ?? Number(oldest) - 1);
    const over = new AbortController();
    const whileOn = AbortSignal.any([signal, over.signal]);
    this.#greeted.resolve();
    const serving = this.#serve(() => bootId, whileOn);
    let isGone = false;
    try {
      const send = async () => {
        const stored = await this.#sendAll(outbox, { epoch, bootId }, whileOn);
        if (stored !== null) acknowledge(stored);
      };
      const restart = async (next: string) => {
        await send();
        bootId = next;
        await greet();
      };
      let isThere = true;
      while (isThere && !whileOn.aborted) {
        const frames = await nextFrames();
        isThere = await this.#keep(frames, outbox, restart);
        await send();
      }
      isGone = !isThere;
    } finally {
      over.abort();
      await serving;
    }
    if (isGone) await this.#options.onGone?.();
  }

  /** @returns whether the game process is there still */
  async #keep(
    frames: readonly Fields[],
    outbox: Outbox,
    restart: (bootId: string) => Promise<void>,
  ): Promise<boolean> {
    for (const frame of frames) {
      if (tellsOfEnd(frame)) return false;
      const next = bootIn(frame);
      if (next !== null) await restart(next);
      keep(frame, outbox);
    }
    return true;
  }

  /** @returns the last `seq` that the site has stored; null when there was nothing to send */
  async #sendAll(outbox: Outbox, by: object, signal: AbortSignal): Promise<number | null> {
    let stored: number | null = null;
    for (let next = outbox.next(); next && !signal.aborted; next = outbox.next()) {
      const { gap, events } = next;
      const answer = await this.#site.post("/events", { ...by, gap, events }, signal);
      if (answer.status === 200) outbox.stored((stored = Number(answer.body["seq"])));
      else if (answer.status === 503 || answer.status === 429) await sleep(retryMs);
      else throw new Error(`events were answered ${answer.status}`);
    }
    return stored;
  }

  async #serve(bootId: () => string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const answer = await this.#site.get(`/commands?wait=25&bootId=${bootId()}`, signal);
        if (answer.status !== 200) await sleep(retryMs);
        const { commands = [] } = answer.body as { commands?: Command[] };
        for (const command of commands) void this.#carryOut(command, bootId(), signal);
      } catch {
        await sleep(retryMs);
      }
    }
  }

  async #carryOut(command: Command, bootId: string, signal: AbortSignal): Promise<void> {
    try {
      const outcome = await this.#outcomeOf(command, signal);
      await this.#answer(`/commands/${command.id}?bootId=${bootId}`, outcome, signal);
    } catch {
      // A sidecar that does not answer leaves its caller without an outcome, as a frozen game does.
    }
  }

  /** Sends an outcome until the site takes or refuses it: eight calls at once are the most it lets in. */
  async #answer(path: string, outcome: object, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { status, retryMs: restMs } = await this.#site.post(path, outcome, signal);
      if (status !== 429 && status !== 503) return;
      await sleep(Math.min(restMs, retryMs), undefined, { signal });
    }
  }

  /**
   * The sidecar answers a call without a key once or never. It is asked again under a key after the
   * caller has given up, and answers from memory: the plugin's outcome is late then.
   */
  async #outcomeOf(command: Command, signal: AbortSignal): Promise<object> {
    if (command.key === null) return this.#askSidecar(command, signal);
    const answered = new AbortController();
    const askAgain = async () => {
      const ending = AbortSignal.any([signal, answered.signal]);
      await sleep(command.timeoutMs + lateMs, undefined, { signal: ending });
      return this.#askSidecar(command, signal);
    };
    try {
      return await Promise.any([this.#askSidecar(command, signal), askAgain()]);
    } finally {
      answered.abort();
    }
  }

  /** Has the game send the states that the answer of a hello names. */
  async #resync(families: readonly string[], signal: AbortSignal): Promise<void> {
    if (families.length === 0) return;
    const call = { id: randomUUID(), call: "POST /v1/resync", params: {}, query: {}, timeoutMs: 0 };
    await this.#askSidecar({ ...call, body: { families }, actor: null, key: null }, signal);
  }

  async #askSidecar(command: Command, signal: AbortSignal): Promise<object> {
    const { sidecar, protocol } = this.#options;
    const [method = "GET", template = "/"] = command.call.split(" ");
    const path = template.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(command.params[name] ?? ""),
    );
    const search = new URLSearchParams(command.query).toString();
    const response = await fetch(`${sidecar.baseUrl}${path}${search === "" ? "" : `?${search}`}`, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${sidecar.token}`,
        "x-bridge-protocol": String(protocol),
        "x-request-id": command.id,
        ...(command.body && { "content-type": "application/json" }),
        ...(command.key !== null && { "idempotency-key": command.key }),
        ...(command.actor && {
          "x-bridge-actor": Buffer.from(JSON.stringify(command.actor)).toString("base64url"),
        }),
      },
      ...(command.body && { body: JSON.stringify(command.body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("content-type") ?? "";
    if (!type.startsWith("image/")) return { status: response.status, body: jsonOf(bytes) };
    return {
      status: 200,
      body: { mime: type, data: bytes.toString("base64"), ...mapOf(response) },
    };
  }
}

/** The socket of a sidecar. */
interface SidecarLine {
  readonly nextFrames: () => Promise<Fields[]>;
  readonly acknowledge: (seq: number) => void;
}

interface Command {
  readonly id: string;
  readonly call: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Record<string, string>;
  readonly body: object | null;
  readonly actor: object | null;
  readonly key: string | null;
  readonly timeoutMs: number;
}

const mapHeaders = ["hash", "width", "height", "oceanMargin", "background", "worldSize", "saveId"];

const mapOf = ({ headers }: Response): object =>
  Object.fromEntries(
    mapHeaders.flatMap((name) => {
      const header = `x-map-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      const value = headers.get(header);
      return value === null ? [] : [[name, value]];
    }),
  );

const jsonOf = (bytes: Buffer): object => {
  try {
    return JSON.parse(bytes.toString()) as object;
  } catch {
    return {};
  }
};

function readFrame(data: Buffer): Fields | undefined {
  try {
    return JSON.parse(data.toString()) as Fields;
  } catch {
    // What is no JSON has no place in a plugin's call.
    return undefined;
  }
}

const tellsOfEnd = (frame: Fields): boolean =>
  frame["type"] === "plugin" && frame["connected"] === false;

/** The game process that a frame says is there now. */
const bootIn = ({ type, bootId }: Fields): string | null =>
  type === "plugin" && typeof bootId === "string" ? bootId : null;

function serverOf({ shard }: Fields): object {
  const { name = "", version = "", expansion = null } = (shard ?? {}) as Fields;
  return { name, version, expansion };
}

function keep(frame: Fields, outbox: Outbox): void {
  const { type, epoch: _epoch, replay: _replay, ...event } = frame;
  if (type === "gap") {
    const { from, to, reason = "" } = frame;
    return outbox.lose({ from: Number(from), to: Number(to), reason: String(reason) });
  }
  const { seq } = frame;
  if (type !== "event" || !Number.isSafeInteger(seq)) return;
  outbox.put({ seq: Number(seq), event, bytes: JSON.stringify(event).length });
}

/** While the game is away its plugin is too. */
async function waitForGame(
  nextFrames: () => Promise<Fields[]>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const frames = await nextFrames();
    if (frames.some((frame) => frame["type"] === "plugin" && frame["connected"] === true)) return;
  }
}
