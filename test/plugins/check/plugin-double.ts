import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** CATALOGUE of faults. A plugin double has at most one. */
export const faults = [
  "acceptsUnknownCalls",
  "answersFirstOnly",
  "assumesAllStored",
  "beginsWithEvents",
  "callsElsewhere",
  "changesOutcomes",
  "claimsPages",
  "dropsLostBatches",
  "dropsRefusedBatches",
  "floods",
  "forgetsKeys",
  "forgetsLostHellos",
  "forgetsOutcomes",
  "givesUp",
  "hammers",
  "hidesGaps",
  "hugeOutcomes",
  "hurriesEvents",
  "hurriesWaits",
  "ignoresConflicts",
  "ignoresHead",
  "impatient",
  "insistsOnOutcomes",
  "keepsEpoch",
  "largeBatches",
  "losesEpoch",
  "namesNoBoot",
  "oddHello",
  "oddKind",
  "oddOutcome",
  "oddPayload",
  "oddRoster",
  "oddTime",
  "overlapsEvents",
  "plainText",
  "repeatsOutcomes",
  "retriesDisabled",
  "retriesKey",
  "retriesProtocol",
  "returnsSuperseded",
  "reusesKeys",
  "rewritesEvents",
  "sendsTwice",
  "skipsSeq",
  "stopsWaiting",
  "tearsSnapshots",
  "tellsKey",
  "twoWaits",
] as const;

export type Fault = (typeof faults)[number];

export interface DoubleOptions {
  readonly url: string;
  readonly key: string;
  readonly fault?: Fault | undefined;
  /** The milliseconds that a minute of the protocol lasts in this test. */
  readonly minuteMs: number;
  /** Milliseconds between two events of the plugin. */
  readonly periodMs?: number;
  /** The maximum number of events in the plugin's buffer. */
  readonly buffer?: number;
}

interface Answer {
  /** The HTTP status, or 0 if there was no answer. */
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfter: string | null;
}

interface Command {
  readonly id: string;
  readonly call: string;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly key: string | null;
}

interface CallOutcome {
  readonly status: number;
  readonly body: object;
}

interface Buffered {
  readonly seq: number;
  value: Record<string, unknown>;
}

const noAnswer: Answer = { status: 0, body: {}, retryAfter: null };
const unsupported: CallOutcome = { status: 422, body: { code: "UNSUPPORTED" } };

const hugeOutcome = (): CallOutcome => ({
  status: 200,
  body: { file: "x".repeat(13 * 1024 * 1024) },
});

/**
 * Makes 40 calls at once, which exceeds both the calls per second and the attempts per minute that a plugin may
 * make.
 */
const atOnce = (call: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: 40 }, call));

/** Returns a body that is sent in two parts, with a pause between them. */
const slowly = (text: string, ms: number): ReadableStream =>
  ReadableStream.from(
    (async function* () {
      yield Buffer.from(text.slice(0, 10));
      await sleep(ms);
      yield Buffer.from(text.slice(10));
    })(),
  );

/** A plugin that runs in the test process. It follows the protocol, except for one fault. */
export class PluginDouble {
  readonly #options: DoubleOptions;
  readonly #stopped = new AbortController();
  readonly #bootId = randomUUID();
  readonly #outcomes = new Map<string, { said: string; outcome: CallOutcome }>();
  #epoch: string = randomUUID();
  #buffer: Buffered[] = [];
  #head = 0;
  #stored = 0;
  #isGreeted = false;
  #isOver = false;
  #quietUntil = 0;
  #hasSkipped = false;

  constructor(options: DoubleOptions) {
    this.#options = options;
    this.#emit("server.started", { shard: "Double", version: "1" });
    if (this.#has("largeBatches")) for (let count = 0; count < 600; count++) this.#happen();
    void this.#every(options.periodMs ?? 100, () => this.#happen());
    void this.#keep(() => (this.#isGreeted ? this.#send() : this.#greet()));
    void this.#keep(() => this.#wait());
    if (this.#has("twoWaits")) void this.#keep(() => this.#wait());
  }

  stop(): void {
    this.#stopped.abort();
  }

  #has(fault: Fault): boolean {
    return this.#options.fault === fault;
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
  }

  async #every(ms: number, work: () => void): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      work();
      await this.#pause(ms);
    }
  }

  #happen(): void {
    if (this.#has("oddKind")) this.#emit("server.hartbeat", { online: 0 });
    if (this.#has("oddPayload")) {
      this.#emit("vendor.upsert", {
        vendor: { serial: "0x40000001", location: null },
        total: 1,
        items: [{ serial: "0x40000002", itemId: 3922, amount: 1, price: "cheap" }],
      });
    }
    const more = this.#has("reusesKeys") ? { eventKey: "heartbeat" } : {};
    const t = this.#has("oddTime") ? Date.now() / 1_000 : Date.now();
    this.#emit(
      "server.heartbeat",
      { online: this.#head % 7, uptimeMs: this.#head },
      { t, ...more },
    );
  }

  #emit(kind: string, payload: object, more: object = {}): void {
    this.#head += 1;
    const value = { seq: this.#head, kind, t: Date.now(), payload, ...more };
    this.#buffer.push({ seq: this.#head, value });
    const surplus = this.#buffer.length - (this.#options.buffer ?? 20_000);
    if (surplus > 0) this.#buffer.splice(0, surplus);
  }

  get #oldest(): number {
    return this.#buffer[0]?.seq ?? this.#head + 1;
  }

  #confirm(seq: number): void {
    this.#stored = seq;
    this.#buffer = this.#buffer.filter((one) => one.seq > seq);
  }

  /** Repeats a call until it succeeds. Pauses as the answers demand. */
  async #keep(step: () => Promise<Answer>): Promise<void> {
    let failures = 0;
    while (!this.#stopped.signal.aborted && !this.#isOver) {
      const quietMs = this.#quietUntil - performance.now();
      if (quietMs > 0) await this.#pause(quietMs);
      const answer = await step();
      const isGood = answer.status === 200;
      if (!isGood) await this.#pause(this.#pauseAfter(answer, failures));
      failures = isGood ? 0 : failures + 1;
    }
  }

  /** Handles an answer other than 2xx. @returns the milliseconds until the next attempt */
  #pauseAfter(answer: Answer, failures: number): number {
    const { status, body, retryAfter } = answer;
    if (status === 409 && this.#has("ignoresConflicts")) return 50;
    if ([401, 403, 409].includes(status)) this.#isGreeted = false;
    if (this.#isRefused(answer)) return this.#pauseRefused(status);
    if (body["code"] === "SUPERSEDED") return this.#pauseSuperseded();
    if (retryAfter !== null) return this.#pauseFor(retryAfter);
    if (status === 0 && this.#has("givesUp") && failures > 3) this.#isOver = true;
    return status === 409 && failures === 0 ? 0 : this.#backoff(failures);
  }

  #backoff(failures: number): number {
    const { minuteMs } = this.#options;
    return Math.random() * minuteMs * Math.min(1, 2 ** failures / 60);
  }

  /** Returns true if the plugin must not call for a minute after this answer. */
  readonly #isRefused = ({ status, body }: Answer): boolean =>
    status === 401 || status === 403 || body["code"] === "PROTOCOL";

  #pauseRefused(status: number): number {
    const { minuteMs } = this.#options;
    const hurried: Readonly<Record<number, Fault>> = {
      401: "retriesKey",
      403: "retriesDisabled",
      409: "retriesProtocol",
    };
    if (hurried[status] === this.#options.fault) return minuteMs / 5;
    this.#quietUntil = performance.now() + minuteMs;
    return 0;
  }

  #pauseSuperseded(): number {
    if (!this.#has("returnsSuperseded")) this.#isOver = true;
    return this.#options.minuteMs;
  }

  #pauseFor(retryAfter: string): number {
    const isHurried = this.#has("hurriesEvents") || this.#has("hurriesWaits");
    return isHurried ? 100 : Number(retryAfter) * 1_000;
  }

  async #call(method: string, path: string, body?: string | ReadableStream): Promise<Answer> {
    const { url, key } = this.#options;
    const isImpatient = this.#has("impatient") && path.startsWith("/commands?");
    const patience = isImpatient ? AbortSignal.timeout(200) : this.#stopped.signal;
    const address = this.#has("tellsKey")
      ? `${url}${path}${path.includes("?") ? "&" : "?"}key=${key}`
      : `${url}${path}`;
    try {
      const response = await fetch(address, {
        method,
        signal: AbortSignal.any([this.#stopped.signal, patience]),
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": this.#has("plainText") ? "text/plain" : "application/json",
        },
        ...(body !== undefined && { body, duplex: "half" as const }),
      });
      const text = await response.text();
      const { status, headers } = response;
      const parsed = text === "" ? {} : (JSON.parse(text) as Answer["body"]);
      return { status, body: parsed, retryAfter: headers.get("retry-after") };
    } catch {
      if (this.#has("hammers")) await atOnce(() => this.#connect());
      return noAnswer;
    }
  }

  async #connect(): Promise<void> {
    await fetch(this.#options.url, { signal: this.#stopped.signal }).catch(() => undefined);
  }

  async #greet(): Promise<Answer> {
    if (this.#has("beginsWithEvents")) await this.#sendBatch([]);
    if (this.#has("losesEpoch")) this.#epoch = randomUUID();
    const oldest = this.#oldest;
    const answer = await this.#call("POST", "/hello", JSON.stringify(this.#hello()));
    if (answer.status === 0 && this.#has("forgetsLostHellos")) this.#isOver = true;
    if (answer.body["code"] === "EPOCH" && !this.#has("keepsEpoch")) this.#epoch = randomUUID();
    if (answer.status !== 200) return answer;
    const { cursor, resync } = answer.body as { cursor: { seq: number } | null; resync: string[] };
    this.#confirm(cursor?.seq ?? oldest - 1);
    this.#isGreeted = true;
    if (resync.includes("guild")) this.#tellGuilds();
    return answer;
  }

  #hello(): object {
    return {
      protocol: 1,
      game: "uo",
      plugin: { name: "double", version: "1.0" },
      server: { name: "Double", version: this.#has("oddHello") ? 1 : "1" },
      bootId: this.#bootId,
      epoch: this.#epoch,
      oldest: this.#has("ignoresHead") ? this.#head + 7 : this.#oldest,
      head: this.#head,
      capabilities: this.#has("claimsPages") ? ["pages"] : [],
    };
  }

  #tellGuilds(): void {
    const snapshotId = randomUUID();
    this.#emit("guild.snapshot.begin", { snapshotId, pages: 1, count: 1 });
    const guild = {
      guildId: 1,
      name: "One",
      abbr: "ONE",
      type: "Regular",
      leader: null,
      memberCount: 1,
    };
    const rows = this.#has("tearsSnapshots") ? [] : [guild];
    this.#emit("guild.snapshot.page", { snapshotId, page: 1, rows });
    this.#emit("guild.snapshot.end", { snapshotId });
  }

  async #send(): Promise<Answer> {
    await this.#pause(60);
    if (this.#has("floods")) await atOnce(() => this.#sendBatch([]));
    if (this.#head <= this.#stored) return { ...noAnswer, status: 200 };
    const batch = this.#nextBatch();
    const slow = this.#has("overlapsEvents") ? this.#sendBatch(batch, 200) : undefined;
    if (slow) await this.#pause(50);
    const answer = await this.#sendBatch(batch);
    await slow;
    if (answer.status === 200 && this.#has("sendsTwice")) await this.#sendBatch(batch);
    this.#settleBatch(batch, answer);
    return answer;
  }

  #nextBatch(): readonly Buffered[] {
    const batch = this.#buffer.slice(0, this.#has("largeBatches") ? 2_000 : 500);
    if (!this.#has("skipsSeq") || batch.length < 2 || this.#hasSkipped) return batch;
    this.#hasSkipped = true;
    return batch.slice(1);
  }

  #settleBatch(batch: readonly Buffered[], { status, body }: Answer): void {
    const last = batch.at(-1)?.seq ?? this.#stored;
    const isDropped =
      (status === 503 && this.#has("dropsRefusedBatches")) ||
      (status === 0 && this.#has("dropsLostBatches")) ||
      (status === 200 && this.#has("assumesAllStored"));
    if (isDropped) this.#confirm(last);
    else if (status === 200) this.#confirm(Number(body["seq"]));
    if (!this.#has("rewritesEvents")) return;
    for (const one of batch) one.value = { ...one.value, t: Date.now() };
  }

  /** Sends events. @param slowMs the milliseconds that the sending of the body takes */
  #sendBatch(batch: readonly Buffered[], slowMs = 0): Promise<Answer> {
    const isLost = this.#oldest > this.#stored + 1 && !this.#has("hidesGaps");
    const gap = { from: this.#stored + 1, to: this.#oldest - 1, reason: "buffer full" };
    const events = batch.map(({ value }) => value);
    const body = { epoch: this.#epoch, bootId: this.#bootId, ...(isLost && { gap }), events };
    const text = JSON.stringify(body);
    return this.#call("POST", "/events", slowMs > 0 ? slowly(text, slowMs) : text);
  }

  async #wait(): Promise<Answer> {
    while (!this.#isGreeted && !this.#stopped.signal.aborted) await this.#pause(20);
    if (this.#has("callsElsewhere")) await this.#call("GET", "/status");
    const boot = this.#has("namesNoBoot") ? "" : `&bootId=${this.#bootId}`;
    const answer = await this.#call("GET", `/commands?wait=25${boot}`);
    if (answer.status === 200 && this.#has("stopsWaiting")) await this.#pause(60_000);
    const { commands = [] } = answer.body as { commands?: Command[] };
    for (const command of this.#has("answersFirstOnly") ? commands.slice(0, 1) : commands) {
      const text = JSON.stringify(this.#carryOut(command));
      await this.#deliver(command.id, text);
      if (this.#has("changesOutcomes")) await this.#deliver(command.id, `${text} `);
    }
    return answer;
  }

  async #deliver(id: string, text: string): Promise<void> {
    for (let failures = 0; failures < 8; failures++) {
      const answer = await this.#call("POST", `/commands/${id}?bootId=${this.#bootId}`, text);
      const { status } = answer;
      if (status === 204 && this.#has("repeatsOutcomes") && failures < 2) continue;
      if (status === 404 && this.#has("insistsOnOutcomes")) continue;
      if (status === 0 && this.#has("forgetsOutcomes")) return;
      if (status > 0 && status < 500 && status !== 429) return;
      await this.#pause(this.#pauseAfter(answer, failures));
    }
  }

  #carryOut({ call, body, key }: Command): CallOutcome {
    if (this.#has("oddOutcome")) return { status: 7, body: {} };
    if (this.#has("hugeOutcomes")) return hugeOutcome();
    const said = JSON.stringify([call, body]);
    const known = key === null ? undefined : this.#outcomes.get(key);
    if (known && !this.#has("forgetsKeys")) {
      return known.said === said ? known.outcome : { status: 409, body: { code: "CONFLICT" } };
    }
    const outcome = this.#answer(call, body);
    if (key !== null && outcome.status < 300) this.#outcomes.set(key, { said, outcome });
    return outcome;
  }

  #answer(call: string, body: Command["body"]): CallOutcome {
    if (call === "POST /v1/broadcast") {
      this.#emit("world.broadcast", { text: body?.["text"], hue: null, access: "Player" });
      return { status: 200, body: { ok: true, id: randomUUID() } };
    }
    if (call.endsWith("/roster") && this.#has("oddRoster")) {
      return { status: 200, body: { account: "maple", characters: [{ serial: 7 }] } };
    }
    return this.#has("acceptsUnknownCalls") ? { status: 200, body: { ok: true } } : unsupported;
  }
}
