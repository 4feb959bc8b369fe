import { GameProcess } from "../../game/process.ts";
import type { ProcessOptions } from "../../game/process.ts";
import { createRandom } from "../../random.ts";
import type { RandomSource } from "../../random.ts";
import type { EventBuffer } from "../../stream/buffer.ts";
import type { BufferedEvent, Payload } from "../../stream/event.ts";
import type { FrameForm } from "../../stream/forms.ts";
import type { GameEffects } from "../deeds.ts";
import { survivalDialect } from "../dialect.ts";
import type { SurvivalFaults } from "../faults/standing.ts";
import { onlinePlayers } from "../world/world.ts";
import type { SavedWorld, SurvivalWorld } from "../world/world.ts";
import { expireAll, expireDue, respawnDue } from "./expiry.ts";
import { mintKey } from "./keys.ts";
import { simulateOneEvent, movePlayers } from "./life.ts";
import { spawnPlacement } from "./npcs.ts";
import { countTime } from "./players.ts";
import type { SurvivalSimulationContext } from "./scene.ts";
import * as states from "./states.ts";
import { loadSave, wipeWorld } from "./wipes.ts";
import type { Wipe } from "./wipes.ts";

export interface SurvivalGameOptions extends ProcessOptions {
  readonly world: SurvivalWorld;
  readonly buffer: EventBuffer;
  readonly standing: SurvivalFaults;
  readonly seed: string;
  readonly deeds: GameEffects;
  /** The milliseconds from the boot until the world is ready. 0 means at once. */
  readonly worldMs: number;
  readonly later: (ms: number, run: () => void) => void;
  /** Called when another save is loaded. */
  readonly onSave: (saveId: number) => void;
}

export interface SurvivalEmitOptions {
  /** The time of the event in epoch milliseconds. By default it is the game's present time. */
  readonly t?: number | undefined;
  /** The key of the event. By default it is derived from the payload. Null means no key. */
  readonly eventKey?: string | null | undefined;
  readonly bootId?: string | null | undefined;
  readonly saveId?: number | null | undefined;
  readonly form?: FrameForm | undefined;
}

/** The intervals of periodic states, in milliseconds. */
const periods = { status: 15_000, live: 5_000, online: 60_000, tallies: 60_000 } as const;
type Period = keyof typeof periods;

/** The game and its bridge plugin. The game boots, simulates events, is wiped and stops. */
export class SurvivalGame extends GameProcess {
  readonly world: SurvivalWorld;
  readonly #options: SurvivalGameOptions;
  readonly #keys = new Set<string>();
  readonly #changedTallies = new Set<string>();
  #random: RandomSource;
  #startedAt = 0;
  #worldReady = false;
  #counted = 0;
  #netIds = 0;
  #live: BufferedEvent | undefined;
  #inventories = 0;
  #toldAt: Record<Period, number> = { status: 0, live: 0, online: 0, tallies: 0 };
  #wipe: { readonly before: SavedWorld; readonly blueprints: string } | undefined;
  rate = 0;

  constructor(options: SurvivalGameOptions) {
    super(options);
    this.#options = options;
    this.world = options.world;
    this.#random = createRandom(options.seed);
  }

  /** True if the world is ready, so that NPCs can spawn and the map can be read. */
  get worldReady(): boolean {
    return this.#worldReady;
  }

  /** Returns the context of events that the game emits by itself. */
  scene(): SurvivalSimulationContext {
    return this.#scene(this.#random);
  }

  /**
   * Returns the context in which a command acts. It has random numbers of its own, so that commands do not change
   * later simulated events.
   */
  commandScene(): SurvivalSimulationContext {
    return this.#scene(createRandom(`${this.#options.seed}/command/${this.#options.buffer.head}`));
  }

  boot(): void {
    if (this.running) return;
    this.begin(() => {
      this.#random = createRandom(this.#options.seed).fork(`boot ${this.boots}`);
      this.#startedAt = this.now();
      this.#counted = 0;
      this.#changedTallies.clear();
      this.world.npcs.alive.clear();
      this.#populate();
    });
    this.#options.onSave(this.world.save.saveId);
    this.#worldReady = this.#options.worldMs === 0;
    for (const period of Object.keys(periods) as Period[]) this.#toldAt[period] = this.now();
    this.emit("server.status", this.statusFacts("starting"));
    this.#tellHello();
    this.#tellWipe();
    expireDue(this.scene(), "boot");
    if (this.#worldReady) this.#openWorld();
    else this.afterwards(this.#options.worldMs, () => this.#openWorld());
  }

  /** Ends the game. A shutdown or restart emits an event, and a crash does not. */
  leave(reason: "shutdown" | "restart" | "crash"): void {
    if (!this.running) return;
    if (reason !== "crash") {
      const state = reason === "restart" ? "restarting" : "offline";
      this.emit("server.status", this.statusFacts(state));
    }
    this.end(() => {
      this.#worldReady = false;
      for (const player of onlinePlayers(this.world)) player.connectedAt = null;
    });
  }

  wipe(wipe: Wipe): void {
    const before = this.world.save;
    this.leave("restart");
    loadSave(this.world, wipeWorld(this.world, this.now(), wipe));
    this.#wipe = { before, blueprints: wipe.blueprints };
    this.boot();
  }

  /** Boots with another save and without a wipe, as after restoring a backup. */
  load(save: SavedWorld): void {
    this.leave("restart");
    loadSave(this.world, save);
    this.boot();
  }

  /** Begins a long save that blocks the game until `thaw` is called. */
  freeze(): void {
    if (!this.awake) return;
    this.emit("server.status", this.statusFacts("saving"));
    this.hold();
  }

  thaw(): void {
    if (!this.held) return;
    this.release();
    this.emit("server.status", this.statusFacts());
  }

  save(): void {
    this.freeze();
    this.thaw();
  }

  /** Emits the present state after the replay of a client. */
  greet(): void {
    if (!this.running) return;
    if (!this.awake) return this.afterwards(0, () => this.greet());
    this.#tellHello();
    this.#tellPlayers();
    this.emit("npc.placements", states.npcPlacements(this.world));
    this.#tellTallies([...this.world.save.tallies.keys()]);
  }

  /** Calls `run` later, once the game is not frozen. Does not call it if the game has restarted by then. */
  afterwards(ms: number, run: () => void): void {
    const { bootId } = this;
    const go = (): void => {
      if (this.bootId !== bootId) return;
      if (this.running && !this.awake) return void this.untilFree().then(go);
      run();
    };
    this.#options.later(ms, go);
  }

  /** Appends an event to the buffer, as the plugin does. */
  emit(kind: string, payload: Payload, options: SurvivalEmitOptions = {}): BufferedEvent {
    const { standing, buffer } = this.#options;
    const bootId = options.bootId === undefined ? this.bootId : options.bootId;
    const saveId = options.saveId === undefined ? this.world.save.saveId : options.saveId;
    const [t, minted] = this.#moment(kind, payload, options);
    return buffer.append({
      bootId,
      saveId: bootId === null ? null : saveId,
      eventKey: options.eventKey === undefined ? minted : options.eventKey,
      kind,
      t: t + (options.t === undefined ? standing.takeDisorder(this.#random.next) : 0),
      payload,
      form: options.form ?? null,
    });
  }

  sayOddly(form: FrameForm): BufferedEvent {
    const { kind, payload } = survivalDialect.chat("hello");
    return this.emit(kind, payload as Payload, { form });
  }

  /**
   * Simulates until at least `count` events are emitted. Does nothing while the game does not run.
   */
  happen(count: number): number {
    const { log } = this.#options.buffer;
    const first = log.length;
    for (let tries = 0; this.awake && log.length < first + count && tries < count * 100; tries++) {
      simulateOneEvent(this.scene());
    }
    return log.length - first;
  }

  /** Does the timed work of the plugin that is due: periodic states and expiries. */
  tick(): void {
    if (!this.awake) return;
    expireDue(this.scene());
    if (this.#isDue("status")) this.emit("server.status", this.statusFacts());
    if (this.#isDue("online")) this.#tellPlayers();
    if (this.#isDue("tallies")) this.#tellTime();
    if (!this.#worldReady) return;
    respawnDue(this.scene());
    if (this.#isDue("live")) this.#tellLive();
  }

  tellChangedTallies(): void {
    const changed = [...this.#changedTallies];
    this.#changedTallies.clear();
    if (changed.length > 0) this.#tellTallies(changed);
  }

  helloFacts(): Payload {
    const { standing, buffer } = this.#options;
    return states.buildHello(this.world, {
      startedAt: this.#startedAt,
      worldReady: this.#worldReady,
      head: buffer.head,
      capabilities: states.capabilities.filter((one) => !standing.incapable.includes(one)),
    });
  }

  statusFacts(state = "online"): Payload {
    return states.status(this.world, state, { uptimeMs: this.uptimeMs, now: this.now() });
  }

  /** Returns the pages of a new inventory. A fault may leave out the last page. */
  inventory(inventoryId = this.nextInventoryId()): Payload[] {
    const { standing } = this.#options;
    const pages = states.buildPermissionPages(this.world, inventoryId);
    if (standing.tornInventories <= 0) return pages;
    standing.tornInventories--;
    return pages.slice(0, -1);
  }

  nextInventoryId(): string {
    return createRandom(`${this.bootId}/inventory/${this.#inventories++}`).uuid();
  }

  #scene(random: RandomSource): SurvivalSimulationContext {
    return {
      world: this.world,
      random,
      now: this.now,
      emit: (kind, payload) => void this.emit(kind, payload),
      changedTallies: this.#changedTallies,
      nextNetId: () => String(this.boots * 100_000 + ++this.#netIds),
      deeds: this.#options.deeds,
    };
  }

  /**
   * Returns the time and the key of an event. Two events of a kind in the same millisecond would
   * get the same key, so the second one gets a later time.
   */
  #moment(kind: string, payload: Payload, { t }: SurvivalEmitOptions): [number, string | null] {
    const { bootId } = this;
    const facts = { payload, saveId: this.world.save.saveId, bootId, count: ++this.#counted };
    const from = t ?? this.now();
    const minted = mintKey(kind, { ...facts, t: from });
    if (minted === null || t !== undefined || !this.#keys.has(minted)) {
      return [from, this.#remember(minted)];
    }
    for (let later = from + 1; later < from + 10_000; later++) {
      const key = mintKey(kind, { ...facts, t: later });
      if (key !== null && !this.#keys.has(key)) return [later, this.#remember(key)];
      if (key === minted) break;
    }
    return [from, minted];
  }

  #remember(key: string | null): string | null {
    if (key !== null) this.#keys.add(key);
    return key;
  }

  /** Connects some players, the same ones after each boot. All other players sleep where they were. */
  #populate(): void {
    const players = [...this.world.players.values()].filter(({ known }) => known);
    for (const player of players.slice(0, this.world.sizes.online)) {
      const connectedAt = this.now();
      Object.assign(player, { connectedAt, sleeping: false, dead: false, health: 100 });
    }
  }

  #openWorld(): void {
    this.#worldReady = true;
    const scene = this.scene();
    for (const placement of this.world.npcs.placements.values()) {
      spawnPlacement(scene, placement, null);
    }
    this.emit("world.ready", { saveId: this.world.save.saveId });
    this.emit("map.info", states.mapInfo(this.world));
    this.#tellPlugins();
    this.#tellPlayers();
    this.emit("npc.placements", states.npcPlacements(this.world));
    this.#tellClans();
    this.#tellTallies([...this.world.save.tallies.keys()]);
    this.emit("server.status", this.statusFacts());
  }

  #tellHello(): void {
    this.emit("server.hello", this.helloFacts());
  }

  #tellWipe(): void {
    if (this.#wipe === undefined) return;
    const { before, blueprints } = this.#wipe;
    this.#wipe = undefined;
    expireAll(this.scene());
    const { saveId, protocol, level, seed, size } = this.world.save;
    this.emit("world.wiped", {
      saveId,
      previousSaveId: before.saveId,
      saveProtocol: protocol,
      previousProtocol: before.protocol,
      blueprints,
      level,
      seed,
      size,
    });
  }

  #tellPlugins(): void {
    for (const plugin of this.world.plugins.values()) {
      if (plugin.loaded) this.emit("plugin.loaded", states.buildPluginEntry(plugin));
    }
  }

  #tellPlayers(): void {
    this.emit("player.online", states.playersOnline(this.world));
  }

  #tellClans(): void {
    this.emit("clan.board", states.clanBoard(this.world, this.now()));
    for (const clan of this.world.save.clans.clans.values()) {
      this.emit("clan.roster", states.clanRoster(this.world, clan));
    }
  }

  #tellTallies(steamIds: readonly string[]): void {
    for (const page of states.tallyPages(this.world, steamIds)) this.emit("player.tally", page);
  }

  /** Counts the play time of all online players and emits the changed counters. */
  #tellTime(): void {
    for (const player of onlinePlayers(this.world)) countTime(this.scene(), player);
    this.tellChangedTallies();
  }

  #tellLive(): void {
    movePlayers(this.scene());
    // Old positions are useless and would fill most of the buffer, so remove the positions from the previous
    // event.
    const before = this.#live;
    if (before !== undefined) this.#options.buffer.slim(before, states.clearLivePositions(before));
    this.#live = this.emit("map.live", states.mapLive(this.world, this.now()));
  }

  #isDue(period: Period): boolean {
    if (this.now() - this.#toldAt[period] < periods[period]) return false;
    this.#toldAt[period] = this.now();
    return true;
  }
}
