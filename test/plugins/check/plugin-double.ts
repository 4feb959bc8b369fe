import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** CATALOGUE of the ways in which a plugin can be wrong, one at a time. */
export const faults = [
  "acceptsUnknownCalls",
  "answersFirstOnly",
  "answersTwice",
  "assumesAllStored",
  "beginsWithEvents",
  "callsElsewhere",
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
  /** Milliseconds of its minute. */
  readonly minuteMs: number;
  /** Milliseconds between two events. */
  readonly periodMs?: number;
  /** Events that are kept. */
  readonly buffer?: number;
}

interface Answer {
  /** 0 without an answer. */
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

interface Outcome {
  readonly status: number;
  readonly body: object;
}

interface Buffered {
  readonly seq: number;
  value: Record<string, unknown>;
}

const noAnswer: Answer = { status: 0, body: {}, retryAfter: null };
const unsupported: Outcome = { status: 422, body: { code: "UNSUPPORTED" } };

/** A body that comes in two parts. */
const slowly = (text: string, ms: number): ReadableStream =>
  ReadableStream.from(
    (async function* () {
      yield Buffer.from(text.slice(0, 10));
      await sleep(ms);
      yield Buffer.from(text.slice(10));
    })(),
  );

/** A plugin in this process that keeps the protocol, but for one fault. */
export class PluginDouble {
  readonly #options: DoubleOptions;
  readonly #stopped = new AbortController();
  readonly #bootId = randomUUID();
  readonly #outcomes = new Map<string, { said: string; outcome: Outcome }>();
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

  /** Repeats a call, with the pauses that its answers ask for. */
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

  #pauseAfter({ status, body, retryAfter }: Answer, failures: number): number {
    const { minuteMs } = this.#options;
    const code = body["code"];
    if (status === 409 && this.#has("ignoresConflicts")) return 50;
    if ([401, 403, 409].includes(status)) this.#isGreeted = false;
    const isQuick =
      (status === 401 && this.#has("retriesKey")) ||
      (status === 403 && this.#has("retriesDisabled")) ||
      (code === "PROTOCOL" && this.#has("retriesProtocol"));
    if (isQuick) return minuteMs / 5;
    if (status === 401 || status === 403 || code === "PROTOCOL") {
      this.#quietUntil = performance.now() + minuteMs;
      return 0;
    }
    if (code === "SUPERSEDED" && this.#has("returnsSuperseded")) return minuteMs;
    if (code === "SUPERSEDED") this.#isOver = true;
    if (retryAfter !== null) return this.#pauseFor(retryAfter);
    if (status === 0 && this.#has("givesUp") && failures > 3) this.#isOver = true;
    if (this.#has("hammers")) return minuteMs / 100;
    const backoffMs = Math.random() * minuteMs * Math.min(1, 2 ** failures / 60);
    return status === 409 && failures === 0 ? 0 : backoffMs;
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
      return noAnswer;
    }
  }

  async #greet(): Promise<Answer> {
    if (this.#has("beginsWithEvents")) await this.#sendBatch([]);
    if (this.#has("losesEpoch")) this.#epoch = randomUUID();
    const [oldest, head] = [this.#oldest, this.#head];
    const hello = {
      protocol: 1,
      game: "uo",
      plugin: { name: "double", version: "1.0" },
      server: { name: "Double", version: this.#has("oddHello") ? 1 : "1" },
      bootId: this.#bootId,
      epoch: this.#epoch,
      oldest: this.#has("ignoresHead") ? head + 7 : oldest,
      head,
      capabilities: this.#has("claimsPages") ? ["pages"] : [],
    };
    const answer = await this.#call("POST", "/hello", JSON.stringify(hello));
    if (answer.status === 0 && this.#has("forgetsLostHellos")) this.#isOver = true;
    if (answer.body["code"] === "EPOCH" && !this.#has("keepsEpoch")) this.#epoch = randomUUID();
    if (answer.status !== 200) return answer;
    const { cursor } = answer.body as { cursor: { seq: number } | null };
    this.#confirm(cursor?.seq ?? oldest - 1);
    this.#isGreeted = true;
    const { resync } = answer.body as { resync: string[] };
    if (resync.includes("guild")) this.#tellGuilds();
    return answer;
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
    await this.#pause(this.#has("floods") ? 1 : 60);
    if (this.#head <= this.#stored && !this.#has("floods")) return { ...noAnswer, status: 200 };
    let batch = this.#buffer.slice(0, this.#has("largeBatches") ? 2_000 : 500);
    if (this.#has("skipsSeq") && batch.length > 1 && !this.#hasSkipped) {
      batch = batch.slice(1);
      this.#hasSkipped = true;
    }
    const slow = this.#has("overlapsEvents") ? this.#sendBatch(batch, 200) : undefined;
    if (slow) await this.#pause(50);
    const answer = await this.#sendBatch(batch);
    await slow;
    const last = batch.at(-1)?.seq ?? this.#stored;
    if (answer.status === 200 && this.#has("sendsTwice")) await this.#sendBatch(batch);
    if (answer.status === 200) {
      this.#confirm(this.#has("assumesAllStored") ? last : Number(answer.body["seq"]));
    }
    if (answer.status === 503 && this.#has("dropsRefusedBatches")) this.#confirm(last);
    if (answer.status === 0 && this.#has("dropsLostBatches")) this.#confirm(last);
    if (this.#has("rewritesEvents"))
      for (const one of batch) one.value = { ...one.value, t: Date.now() };
    return answer;
  }

  /** @param slowMs how long the body takes */
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
      await this.#deliver(command.id, JSON.stringify(this.#carryOut(command)));
    }
    return answer;
  }

  async #deliver(id: string, text: string): Promise<void> {
    for (let failures = 0; failures < 8; failures++) {
      const answer = await this.#call("POST", `/commands/${id}?bootId=${this.#bootId}`, text);
      const { status } = answer;
      if (status === 204 && this.#has("answersTwice") && failures === 0) continue;
      if (status === 404 && this.#has("insistsOnOutcomes")) continue;
      if (status === 0 && this.#has("forgetsOutcomes")) return;
      if (status > 0 && status < 500 && status !== 429) return;
      await this.#pause(this.#pauseAfter(answer, failures));
    }
  }

  #carryOut({ call, body, key }: Command): Outcome {
    if (this.#has("oddOutcome")) return { status: 7, body: {} };
    if (this.#has("hugeOutcomes"))
      return { status: 200, body: { file: "x".repeat(13 * 1024 * 1024) } };
    const said = JSON.stringify([call, body]);
    const known = key === null ? undefined : this.#outcomes.get(key);
    if (known && !this.#has("forgetsKeys")) {
      return known.said === said ? known.outcome : { status: 409, body: { code: "CONFLICT" } };
    }
    const outcome = this.#answer(call, body);
    if (key !== null && outcome.status < 300) this.#outcomes.set(key, { said, outcome });
    return outcome;
  }

  #answer(call: string, body: Command["body"]): Outcome {
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
