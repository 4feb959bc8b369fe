import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { Outbox, type Range } from "./outbox.ts";
import { type AdaptedSidecar, type Fields, SidecarLine } from "./sidecar-line.ts";
import { SiteCalls } from "./site-calls.ts";

export interface AdapterOptions {
  readonly sidecar: AdaptedSidecar;
  readonly game: "uo" | "rust";
  /** The version of the sidecar's protocol. */
  readonly protocol: number;
  /** The URLs of one or more web processes, and the key. */
  readonly url: string | readonly string[];
  readonly key: string;
  /** Called when the game process has ended and no call of its plugin is running. */
  readonly onGone?: (() => Promise<void>) | undefined;
}

const retryMs = 200;

/** A frame that tells the plugin about a reload of its mod. */
const reloaded: Fields = { type: "reloaded" };

/** The time after a call's deadline at which the plugin asks for a missing outcome. */
const lateMs = 1_000;

/**
 * Makes a simulator act as a plugin: it follows the sidecar of a simulated game and calls the site with the
 * events, as a plugin in the game does. The site's commands go to the sidecar's control plane. An answer
 * that breaks off simulates a mod reload between execution and answer: the plugin says hello with the same
 * bootId and a new epoch.
 */
export class PluginAdapter {
  readonly #options: AdapterOptions;
  readonly #site: SiteCalls;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  readonly #greeted = Promise.withResolvers<void>();
  /** The plugin's epoch by the buffer's epoch; an entry exists after a reload. */
  readonly #epochs = new Map<string, string>();

  constructor(options: AdapterOptions) {
    this.#options = options;
    this.#site = new SiteCalls([options.url].flat(), options.key);
    this.#running = this.#run();
  }

  /** The web process that it currently calls. */
  get siteUrl(): string {
    return this.#site.url;
  }

  /** Resolves when the site has answered the first hello, or at once without a running game. */
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

  /** Runs from a connection to the sidecar until it ends or the site requires another hello. */
  async #session(): Promise<void> {
    const { sidecar, protocol } = this.#options;
    const line = new SidecarLine(sidecar, protocol, this.#ending.signal);
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

  async #follow(hello: Fields, line: SidecarLine): Promise<void> {
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
   * Says hello and makes the game send the states that the site requests.
   * @returns the last `seq` of the epoch that the site has, if any
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

  /** @returns true if the game process is still running */
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

  /** @returns the last `seq` that the site stored; null if there was nothing to send */
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
      // A sidecar without an answer leaves its caller without an outcome, as a frozen game does.
    }
  }

  /** Retries an outcome until the site accepts or refuses it, because the site allows eight concurrent calls. */
  async #answer(path: string, outcome: object, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { status, retryMs: restMs } = await this.#site.post(path, outcome, signal);
      if (status !== 429 && status !== 503) return;
      await sleep(Math.min(restMs, retryMs), undefined, { signal });
    }
  }

  /**
   * The sidecar answers a call without a key at most once. A call with a key is repeated after the caller's
   * timeout and answered from memory, so the outcome is late.
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

  /** Makes the game send the states that the answer to the hello names. */
  async #resync(families: readonly string[], signal: AbortSignal): Promise<void> {
    if (families.length === 0) return;
    const call = { id: randomUUID(), call: "POST /v1/resync", params: {}, query: {}, timeoutMs: 0 };
    await this.#askSidecar({ ...call, body: { families }, actor: null, key: null }, signal);
  }

  /** @returns null if the answer breaks off */
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

/** The plugin's ids in its calls. */
interface Identity {
  readonly bootId: string;
  readonly epoch: string;
}

/** The state of the plugin while it executes commands. */
interface ServedSession {
  readonly bootId: () => string;
  /** Restarts the plugin, as a reload of its mod does. */
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

/** Returns the boot id if the frame announces a connected game process. */
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

/** The plugin is away while its game is. */
async function waitForGame(line: SidecarLine): Promise<void> {
  while (!line.signal.aborted) {
    const frames = await line.next();
    if (frames.some((frame) => frame["type"] === "plugin" && frame["connected"] === true)) return;
  }
}
