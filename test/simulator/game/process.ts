import type { StandingFaults } from "../faults/standing.ts";

export interface ProcessOptions {
  readonly standing: StandingFaults;
  readonly clock: () => number;
  /** Boots of earlier processes on the same buffer: what happens differs from boot to boot. */
  readonly bootsBefore: number;
  readonly newBootId: (boot: number) => string;
  /** Told when the plugin comes, before it says anything, and when it has gone. */
  readonly onPlugin: (connected: boolean, bootId: string | null) => void;
}

/** A game process with its plugin, whatever the game: it comes, stands still for a while, and goes. */
export class GameProcess {
  readonly #options: ProcessOptions;
  #bootId: string | null = null;
  #lastBootId: string | null = null;
  #bootedAt = 0;
  #boots: number;
  #frozen: PromiseWithResolvers<void> | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#boots = options.bootsBefore;
  }

  /** Null while the plugin is away. */
  get bootId(): string | null {
    return this.#bootId;
  }

  get running(): boolean {
    return this.#bootId !== null;
  }

  /** Whether it runs and does something: a long save stops everything in it. */
  get awake(): boolean {
    return this.running && this.#frozen === undefined;
  }

  get uptimeMs(): number {
    return this.running ? Math.max(0, this.now() - this.#bootedAt) : 0;
  }

  readonly now = (): number => this.#options.clock() + this.#options.standing.skewMs;

  /** Kept when nothing stops the game any more, be it that it has gone. */
  untilFree(): Promise<void> {
    return this.#frozen?.promise ?? Promise.resolve();
  }

  /** Of the run that is, or that was last. */
  protected get lastBootId(): string | null {
    return this.#lastBootId;
  }

  /** How many runs there were, this one with them. */
  protected get boots(): number {
    return this.#boots;
  }

  /** A new run begins; what it has to do before the plugin is heard is done by `prepare`. */
  protected begin(prepare: () => void): void {
    const { newBootId, onPlugin } = this.#options;
    this.#boots++;
    this.#bootId = newBootId(this.#boots);
    this.#lastBootId = this.#bootId;
    this.#bootedAt = this.now();
    prepare();
    onPlugin(true, this.#bootId);
  }

  /** The run is over; `tidy` clears away what it leaves behind before the plugin is missed. */
  protected end(tidy: () => void): void {
    this.#bootId = null;
    this.release();
    tidy();
    this.#options.onPlugin(false, null);
  }

  /** From now on it stands still. */
  protected hold(): void {
    this.#frozen = Promise.withResolvers();
  }

  protected get held(): boolean {
    return this.#frozen !== undefined;
  }

  protected release(): void {
    this.#frozen?.resolve();
    this.#frozen = undefined;
  }
}
