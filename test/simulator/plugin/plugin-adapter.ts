import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { Outbox, type Range } from "./outbox.ts";
import { type AdaptedSidecar, type Fields, SidecarConnection } from "./sidecar-line.ts";
import { SiteCalls } from "./site-calls.ts";

export interface AdapterOptions {
  readonly sidecar: AdaptedSidecar;
  readonly game: "uo" | "rust";
  /** The protocol version of the sidecar. */
  readonly protocol: number;
  /** The URLs of the site's web processes. */
  readonly url: string | readonly string[];
  readonly key: string;
  /** Called when the game has ended and all calls of its plugin are answered. */
  readonly onGone?: (() => Promise<void>) | undefined;
}

const retryMs = 200;

/** The frame that the adapter inserts among the sidecar's frames when the mod is reloaded. */
const reloaded: Fields = { type: "reloaded" };

/**
 * The milliseconds after a command's deadline until the plugin asks the sidecar again for the missing outcome.
 */
const lateMs = 1_000;

/**
 * Makes a simulated game act like a game with a plugin. The adapter follows the game's sidecar and sends its
 * events to the site, and the site's commands to the sidecar. If the sidecar ends an answer in the middle, the
 * adapter simulates a reload of the mod between the execution and the answer: the plugin says hello with the same
 * bootId and a new epoch.
 */
export class PluginAdapter {
  readonly #options: AdapterOptions;
  readonly #site: SiteCalls;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  readonly #greeted = Promise.withResolvers<void>();
  /**
   * The plugin's present epoch, by the epoch of the buffer. The map contains only epochs in which the mod was
   * reloaded.
   */
  readonly #epochs = new Map<string, string>();

  constructor(options: AdapterOptions) {
    this.#options = options;
    this.#site = new SiteCalls([options.url].flat(), options.key);
    this.#running = this.#run();
  }

  /** The URL of the web process that the adapter calls at present. */
  get siteUrl(): string {
    return this.#site.url;
  }

  /**
   * Resolves when the site has answered the first hello. Without a running game it resolves at
   * once.
   */
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

  /** Connects to the sidecar. Returns when the connection ends or the site asks for another hello. */
  async #session(): Promise<void> {
    const { sidecar, protocol } = this.#options;
    const line = new SidecarConnection(sidecar, protocol, this.#ending.signal);
    try {
      const [hello, ...early] = await line.next();
      if (hello?.["type"] !== "hello") return;
      line.putBack(early);
      if (hello["pluginConnected"] === true) await this.#follow(hello, line);
      else {
        await this.#options.onGone?.();
        this.#greeted.resolve();
        await waitForGame(line);
      }
    } finally {
      line.end();
    }
  }

  async #follow(hello: Fields, line: SidecarConnection): Promise<void> {
    const { signal } = line;
    let self: Identity = { bootId: String(hello["bootId"]), epoch: this.#epochOf(hello) };
    const oldest = Number(hello["oldest"]);
    const range = { oldest, head: Number(hello["head"]) };
    const known = await this.#greet(hello, { ...self, ...range }, signal);
    const outbox = new Outbox(known ?? oldest - 1);
    const over = new AbortController();
    const whileOn = AbortSignal.any([signal, over.signal]);
    this.#greeted.resolve();
    const reload = (): void => {
      this.#epochs.set(String(hello["epoch"]), randomUUID());
      line.put(reloaded);
    };
    const serving = this.#serve({ bootId: () => self.bootId, reload }, whileOn);
    let isGone = false;
    try {
      const send = async () => {
        const stored = await this.#sendAll(outbox, self, whileOn);
        if (stored !== null) line.acknowledge(hello["epoch"], stored);
      };
      const begin = async (bootId = self.bootId) => {
        await send();
        self = { bootId, epoch: this.#epochOf(hello) };
        await this.#greet(hello, { ...self, ...outbox.range }, whileOn);
      };
      let isThere = true;
      while (isThere && !whileOn.aborted) {
        const frames = await line.next();
        isThere = await this.#keep(frames, outbox, begin);
        await send();
      }
      isGone = !isThere;
    } finally {
      over.abort();
      await serving;
    }
    if (isGone) await this.#options.onGone?.();
  }

  #epochOf({ epoch }: Fields): string {
    return this.#epochs.get(String(epoch)) ?? String(epoch);
  }

  /**
   * Says hello. Makes the game send the states that the site requests.
   * @returns the last `seq` of this epoch that the site has, or undefined
   */
  async #greet(
    { shard, capabilities }: Fields,
    self: Identity & Range,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const plugin = { name: "Guildhall for simulators", version: "1.0.0" };
    const server = serverOf(shard);
    const { game } = this.#options;
    const said = { protocol: 1, game, plugin, server, capabilities, ...self };
    const { status, body } = await this.#site.post("/hello", said, signal);
    if (status !== 200) throw new Error(`hello was answered ${status}`);
    await this.#resync(body["resync"] as readonly string[], signal);
    return (body["cursor"] as { seq: number } | null)?.seq;
  }

  /**
   * Adds frames to the outbox and handles a new boot or a reload.
   * @returns false if the game has ended
   */
  async #keep(
    frames: readonly Fields[],
    outbox: Outbox,
    begin: (bootId?: string) => Promise<void>,
  ): Promise<boolean> {
    for (const frame of frames) {
      if (tellsOfEnd(frame)) return false;
      const next = bootIn(frame);
      if (next !== null) await begin(next);
      if (frame === reloaded) await begin();
      keep(frame, outbox);
    }
    return true;
  }

  /**
   * Sends all events of the outbox.
   * @returns the last `seq` that the site has stored, or null if there was nothing to send
   */
  async #sendAll(outbox: Outbox, by: Identity, signal: AbortSignal): Promise<number | null> {
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

  async #serve(session: ServedSession, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const bootId = session.bootId();
        const answer = await this.#site.get(`/commands?wait=25&bootId=${bootId}`, signal);
        if (answer.status !== 200) await sleep(retryMs);
        const { commands = [] } = answer.body as { commands?: Command[] };
        for (const command of commands) void this.#carryOut(command, session, signal);
      } catch {
        await sleep(retryMs);
      }
    }
  }

  async #carryOut(command: Command, session: ServedSession, signal: AbortSignal): Promise<void> {
    const path = `/commands/${command.id}?bootId=${session.bootId()}`;
    try {
      const outcome = await this.#outcomeOf(command, signal);
      if (outcome === null) session.reload();
      else await this.#answer(path, outcome, signal);
    } catch {
      // If the sidecar does not answer, send no outcome, like a plugin of a frozen game.
    }
  }

  /**
   * Sends an outcome until the site accepts or refuses it. The site allows only eight calls at
   * once, so it may answer 429.
   */
  async #answer(path: string, outcome: object, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { status, retryMs: restMs } = await this.#site.post(path, outcome, signal);
      if (status !== 429 && status !== 503) return;
      await sleep(Math.min(restMs, retryMs), undefined, { signal });
    }
  }

  /**
   * Executes a command. A command with a key is sent again after its deadline. The sidecar then
   * answers from memory, so that the site gets a late outcome.
   * @returns null if the mod was reloaded, because then there is no outcome
   */
  async #outcomeOf(command: Command, signal: AbortSignal): Promise<object | null> {
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

  /** Makes the game send the states that the site requested in its answer to the hello. */
  async #resync(families: readonly string[], signal: AbortSignal): Promise<void> {
    if (families.length === 0) return;
    const call = { id: randomUUID(), call: "POST /v1/resync", params: {}, query: {}, timeoutMs: 0 };
    await this.#askSidecar({ ...call, body: { families }, actor: null, key: null }, signal);
  }

  /** Sends a command to the sidecar. @returns null if the answer ends in the middle */
  async #askSidecar(command: Command, signal: AbortSignal): Promise<object | null> {
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
    const body = await response.arrayBuffer().catch(() => null);
    signal.throwIfAborted();
    if (body === null) return null;
    const bytes = Buffer.from(body);
    const type = response.headers.get("content-type") ?? "";
    if (!type.startsWith("image/")) return { status: response.status, body: jsonOf(bytes) };
    return {
      status: 200,
      body: { mime: type, data: bytes.toString("base64"), ...mapOf(response) },
    };
  }
}

/** The ids with which the plugin identifies itself in calls. */
interface Identity {
  readonly bootId: string;
  readonly epoch: string;
}

/** The state of the plugin that the execution of commands uses and changes. */
interface ServedSession {
  readonly bootId: () => string;
  /** Simulates a reload of the mod: the plugin starts again. */
  readonly reload: () => void;
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

const tellsOfEnd = (frame: Fields): boolean =>
  frame["type"] === "plugin" && frame["connected"] === false;

/** Returns the boot id if the frame says that the game is connected, otherwise null. */
const bootIn = ({ type, bootId }: Fields): string | null =>
  type === "plugin" && typeof bootId === "string" ? bootId : null;

function serverOf(shard: unknown): object {
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

/** Waits until the game runs. Without the game there is no plugin. */
async function waitForGame(line: SidecarConnection): Promise<void> {
  while (!line.signal.aborted) {
    const frames = await line.next();
    if (frames.some((frame) => frame["type"] === "plugin" && frame["connected"] === true)) return;
  }
}
