import { createHash } from "node:crypto";

import { createDraw } from "../happenings/catalogue.ts";
import type { Mix } from "../happenings/catalogue.ts";
import { presenceOnline } from "../happenings/presence.ts";
import type { Emit, Payload, Scene } from "../happenings/scene.ts";
import { economy, heartbeat, ruleset } from "../happenings/server.ts";
import { createRandom } from "../random.ts";
import type { Random } from "../random.ts";
import type { EventBuffer } from "../stream/buffer.ts";
import type { BufferedEvent } from "../stream/event.ts";
import { shardDialect } from "../stream/forms.ts";
import type { FrameForm } from "../stream/forms.ts";
import { depart } from "../world/people.ts";
import { boardRow } from "../world/points.ts";
import { rollBack, saveWorld } from "../world/save.ts";
import type { Save } from "../world/save.ts";
import { populate } from "../world/world.ts";
import type { World } from "../world/world.ts";
import { GameProcess } from "./process.ts";
import type { ProcessOptions } from "./process.ts";

export interface GameOptions extends ProcessOptions {
  readonly world: World;
  readonly buffer: EventBuffer;
  readonly seed: string;
  readonly mix: Mix;
  readonly protocol: number;
}

export interface EmitOptions {
  /** Epoch ms; the game's clock when absent. */
  readonly t?: number | undefined;
  /** Made from the facts when absent; null for none. */
  readonly eventKey?: string | null | undefined;
  readonly bootId?: string | null | undefined;
  readonly form?: FrameForm | undefined;
}

/** What is said again at intervals: a state, which has no key of its own. */
const keyless = new Set(["presence.online", "server.heartbeat", "economy.snapshot"]);

/** Seconds between two of each, at the rate the game runs. */
const periods = { presence: 5, heartbeat: 15, sidecar: 30, economy: 60 } as const;

/** What the world's own pace is taken to be while it is driven by hand. */
const nominalRate = 20;

export const shardFacts = { name: "Guildhall Test Shard", version: "Publish 57", expansion: "EJ" };
export const pluginFacts = { version: "2.4.0" };

/** The game process and its plugin: it boots, things happen in it, and it goes away. */
export class Game extends GameProcess {
  readonly world: World;
  readonly #options: GameOptions;
  readonly #draw: ReturnType<typeof createDraw>;
  #random: Random;
  #told = 0;
  #ticks = 0;
  #save: Save | undefined;
  #frozenAt = 0;
  /** Events a second, by which intervals are counted in events. */
  rate: number = nominalRate;

  constructor(options: GameOptions) {
    super(options);
    this.#options = options;
    this.world = options.world;
    this.#random = createRandom(options.seed);
    this.#draw = createDraw(options.mix);
  }

  /** Where commands are carried out: by a chance of their own, so that they move nothing else. */
  commandScene(): Scene {
    return this.#scene(createRandom(`${this.#options.seed}/command/${this.#options.buffer.head}`));
  }

  boot(): void {
    if (this.running) return;
    this.begin(() => {
      this.#save ??= saveWorld(this.world);
      this.#random = createRandom(this.#options.seed).fork(`boot ${this.boots}`);
      this.#told = 0;
      this.#ticks = 0;
      populate(this.world, this.#random.fork("crowd"), this.now());
    });
    this.#tellAll();
  }

  /**
   * One that is stopped saves its world and says why it goes. A crash says nothing, and its world is
   * what it was at the last save.
   */
  leave(reason: "shutdown" | "restart" | "crash"): void {
    if (!this.running) return;
    if (reason === "crash") this.#forget();
    else {
      this.#save = saveWorld(this.world);
      this.emit("server.stopping", { reason, exception: null });
    }
    this.end(() => {
      for (const character of this.world.online.values()) depart(character);
      this.world.online.clear();
    });
  }

  /** Writes the world down, for a crash to go back to. */
  save(): void {
    if (!this.awake) return;
    this.freeze();
    this.thaw();
  }

  /** A save begins, and stops everything in the game until `thaw`. */
  freeze(): void {
    if (!this.awake) return;
    this.hold();
    this.#frozenAt = this.now();
    this.#tellSave("start", null);
  }

  thaw(): void {
    if (!this.held) return;
    this.#save = saveWorld(this.world);
    this.#tellSave("done", Math.max(0, this.now() - this.#frozenAt));
    this.release();
  }

  /** Says something plain in an odd form. */
  sayOddly(form: FrameForm): BufferedEvent {
    const { kind, payload } = shardDialect.chat("hello");
    return this.emit(kind, payload as Payload, { form });
  }

  /** Takes an event into the buffer, as the plugin sends it. */
  emit(kind: string, payload: Payload, options: EmitOptions = {}): BufferedEvent {
    const { standing, buffer } = this.#options;
    const bootId = options.bootId === undefined ? this.bootId : options.bootId;
    const minted = keyless.has(kind) || bootId === null ? null : this.#mintKey(kind);
    return buffer.append({
      bootId,
      eventKey: options.eventKey === undefined ? minted : options.eventKey,
      kind,
      t: options.t ?? this.now() + standing.takeDisorder(this.#random.next),
      payload,
      form: options.form ?? null,
    });
  }

  /**
   * Lets things happen until at least `count` events came of it; none while it is away.
   * Returns how many came: a sale is two events, and is not cut in half.
   */
  happen(count: number): number {
    const { log } = this.#options.buffer;
    const first = log.length;
    while (this.awake && log.length < first + count) {
      const before = log.length;
      if (!this.#happenOnce()) break;
      this.#pass(log.length - before);
    }
    return log.length - first;
  }

  #forget(): void {
    if (this.#save !== undefined) rollBack(this.world, this.#save);
  }

  #tellSave(phase: "start" | "done", durationMs: number | null): void {
    const { houses, vendors, characters } = this.world;
    const counts = { items: houses.size, mobiles: vendors.size + characters.size };
    this.emit("server.save", { phase, durationMs, ...counts });
  }

  /** Some happenings find nobody to happen to; a world where all do so stands still. */
  #happenOnce(): boolean {
    const { log } = this.#options.buffer;
    const scene = this.#scene(this.#random);
    const before = log.length;
    for (let tries = 0; tries < 1_000; tries++) {
      this.#draw(this.#random.next())?.happen(scene);
      if (log.length > before) return true;
    }
    return false;
  }

  #scene(random: Random): Scene {
    const emit: Emit = (kind, payload) => void this.emit(kind, payload);
    return { world: this.world, random, now: this.now, emit };
  }

  /** Time as the game counts it here: in events, so that a seed says when each state is told. */
  #pass(events: number): void {
    const scene = this.#scene(this.#random);
    const due = (seconds: number): boolean => {
      const every = Math.max(1, Math.round(seconds * this.rate));
      return Math.floor((this.#ticks + events) / every) > Math.floor(this.#ticks / every);
    };
    if (due(periods.presence)) this.emit("presence.online", presenceOnline(scene));
    if (due(periods.heartbeat)) this.emit("server.heartbeat", heartbeat(scene, this.uptimeMs));
    if (due(periods.sidecar)) this.#notice();
    if (due(periods.economy)) this.emit("economy.snapshot", economy(scene));
    this.#ticks += events;
  }

  /** What the sidecar sees by itself belongs to no boot, and its kind is none of the game's. */
  #notice(): void {
    const { head, oldest } = this.#options.buffer;
    this.emit("sidecar.buffer", { head, oldest }, { bootId: null });
  }

  /** What every boot begins with. */
  #tellAll(): void {
    const scene = this.#scene(this.#random);
    this.emit("server.started", {
      shard: shardFacts.name,
      version: shardFacts.version,
      expansion: shardFacts.expansion,
      protocol: this.#options.protocol,
      bootId: this.bootId,
      uptimeMs: this.uptimeMs,
      plugin: pluginFacts,
      features: ["market", "houses", "points", "champions", "guilds", "governors"],
      clock: this.now(),
    });
    this.emit("world.ruleset", ruleset(this.world));
    for (const board of this.world.boards.values()) {
      this.emit("points.board", boardRow(board, this.now()));
    }
    this.emit("presence.online", presenceOnline(scene));
    this.emit("economy.snapshot", economy(scene));
  }

  /** The same fact has the same key, however often it is told; another boot has other facts. */
  #mintKey(kind: string): string {
    const fact = `${this.lastBootId} ${this.#told++}`;
    return `${kind}:${createHash("sha256").update(fact).digest("hex").slice(0, 20)}`;
  }
}
