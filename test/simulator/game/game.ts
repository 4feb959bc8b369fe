import { createHash } from "node:crypto";

import type { EmitEvent, Payload, SimulationContext } from "../events/scene.ts";
import { createEventPicker } from "../happenings/catalogue.ts";
import type { Mix } from "../happenings/catalogue.ts";
import { presenceOnline } from "../happenings/presence.ts";
import { buildEconomyState, buildHeartbeat, buildRuleset } from "../happenings/server.ts";
import { createRandom } from "../random.ts";
import type { RandomSource } from "../random.ts";
import type { EventBuffer } from "../stream/buffer.ts";
import type { BufferedEvent } from "../stream/event.ts";
import { shardDialect } from "../stream/forms.ts";
import type { FrameForm } from "../stream/forms.ts";
import { takeCharacterOffline } from "../world/people.ts";
import { boardRow } from "../world/points.ts";
import { restoreWorld, saveWorld } from "../world/save.ts";
import type { WorldBackup } from "../world/save.ts";
import { populateWorld } from "../world/world.ts";
import type { ShardWorld } from "../world/world.ts";
import { GameProcess } from "./process.ts";
import type { ProcessOptions } from "./process.ts";

export interface GameOptions extends ProcessOptions {
  readonly world: ShardWorld;
  readonly buffer: EventBuffer;
  readonly seed: string;
  readonly mix: Mix;
  readonly protocol: number;
}

export interface EmitOptions {
  /** The time of the event in epoch milliseconds. By default it is the game's present time. */
  readonly t?: number | undefined;
  /** The key of the event. By default it is derived from the payload. Null means no key. */
  readonly eventKey?: string | null | undefined;
  readonly bootId?: string | null | undefined;
  readonly form?: FrameForm | undefined;
}

/** Kinds of states that are sent periodically. They have no key. */
const keyless = new Set(["presence.online", "server.heartbeat", "economy.snapshot"]);

/** The intervals of periodic states, in seconds. */
const periods = { presence: 5, heartbeat: 15, sidecar: 30, economy: 60 } as const;

/** The default of `rate`, for a game that emits no events by itself. */
const nominalRate = 20;

export const shardFacts = { name: "Guildhall Test Shard", version: "Publish 57", expansion: "EJ" };
export const pluginFacts = { version: "2.4.0" };

/** The game and its plugin. The game boots, simulates events and stops. */
export class Game extends GameProcess {
  readonly world: ShardWorld;
  readonly #options: GameOptions;
  readonly #draw: ReturnType<typeof createEventPicker>;
  #random: RandomSource;
  #told = 0;
  #ticks = 0;
  #save: WorldBackup | undefined;
  #frozenAt = 0;
  /** The events per second. Intervals are converted to numbers of events with this rate. */
  rate: number = nominalRate;

  constructor(options: GameOptions) {
    super(options);
    this.#options = options;
    this.world = options.world;
    this.#random = createRandom(options.seed);
    this.#draw = createEventPicker(options.mix);
  }

  /**
   * Returns the context in which a command acts. It has random numbers of its own, so that commands do not change
   * later simulated events.
   */
  commandScene(): SimulationContext {
    return this.#scene(createRandom(`${this.#options.seed}/command/${this.#options.buffer.head}`));
  }

  boot(): void {
    if (this.running) return;
    this.begin(() => {
      this.#save ??= saveWorld(this.world);
      this.#random = createRandom(this.#options.seed).fork(`boot ${this.boots}`);
      this.#told = 0;
      this.#ticks = 0;
      populateWorld(this.world, this.#random.fork("crowd"), this.now());
    });
    this.#tellAll();
  }

  /**
   * Ends the game. A shutdown or restart saves the world and reports its reason. A crash does
   * neither: it restores the last save.
   */
  leave(reason: "shutdown" | "restart" | "crash"): void {
    if (!this.running) return;
    if (reason === "crash") this.#forget();
    else {
      this.#save = saveWorld(this.world);
      this.emit("server.stopping", { reason, exception: null });
    }
    this.end(() => {
      for (const character of this.world.online.values()) takeCharacterOffline(character);
      this.world.online.clear();
    });
  }

  /** Saves the world, so that a crash restores it. */
  save(): void {
    if (!this.awake) return;
    this.freeze();
    this.thaw();
  }

  /** Begins a save that blocks the game until `thaw` is called. */
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

  /** Emits an ordinary event in a malformed frame of this form. */
  sayOddly(form: FrameForm): BufferedEvent {
    const { kind, payload } = shardDialect.chat("hello");
    return this.emit(kind, payload as Payload, { form });
  }

  /** Appends an event to the buffer, as the plugin does. */
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
   * Simulates until at least `count` events are emitted. Does nothing while the game does not run.
   * @returns the number of events, which may exceed `count` because a sale emits two
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
    if (this.#save !== undefined) restoreWorld(this.world, this.#save);
  }

  #tellSave(phase: "start" | "done", durationMs: number | null): void {
    const { houses, vendors, characters } = this.world;
    const counts = { items: houses.size, mobiles: vendors.size + characters.size };
    this.emit("server.save", { phase, durationMs, ...counts });
  }

  /**
   * Simulates one event.
   * @returns false if the world contains nothing to which an event can happen
   */
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

  #scene(random: RandomSource): SimulationContext {
    const emit: EmitEvent = (kind, payload) => void this.emit(kind, payload);
    return { world: this.world, random, now: this.now, emit };
  }

  /**
   * Lets time pass and emits the states that are due. Events are the unit of time, so the seed determines when a
   * state is sent.
   */
  #pass(events: number): void {
    const scene = this.#scene(this.#random);
    const due = (seconds: number): boolean => {
      const every = Math.max(1, Math.round(seconds * this.rate));
      return Math.floor((this.#ticks + events) / every) > Math.floor(this.#ticks / every);
    };
    if (due(periods.presence)) this.emit("presence.online", presenceOnline(scene));
    if (due(periods.heartbeat)) this.emit("server.heartbeat", buildHeartbeat(scene, this.uptimeMs));
    if (due(periods.sidecar)) this.#notice();
    if (due(periods.economy)) this.emit("economy.snapshot", buildEconomyState(scene));
    this.#ticks += events;
  }

  /** Emits the sidecar's report about its buffer. The event belongs to the sidecar, so it has no boot id. */
  #notice(): void {
    const { head, oldest } = this.#options.buffer;
    this.emit("sidecar.buffer", { head, oldest }, { bootId: null });
  }

  /** Emits the states that the game sends when it boots. */
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
    this.emit("world.ruleset", buildRuleset(this.world));
    for (const board of this.world.boards.values()) {
      this.emit("points.board", boardRow(board, this.now()));
    }
    this.emit("presence.online", presenceOnline(scene));
    this.emit("economy.snapshot", buildEconomyState(scene));
  }

  /** Returns a new key. A repeated event keeps its key, and each boot has other keys. */
  #mintKey(kind: string): string {
    const fact = `${this.lastBootId} ${this.#told++}`;
    return `${kind}:${createHash("sha256").update(fact).digest("hex").slice(0, 20)}`;
  }
}
