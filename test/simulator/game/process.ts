import type { ActiveFaults } from "../faults/standing.ts";

export interface ProcessOptions {
  readonly standing: ActiveFaults;
  readonly clock: () => number;
  /** Boots of earlier processes on the same buffer, because events differ between boots. */
  readonly bootsBefore: number;
  readonly newBootId: (boot: number) => string;
  /** Called before the plugin's first event and after the plugin leaves. */
  readonly onPlugin: (connected: boolean, bootId: string | null) => void;
}

/** A game process with its plugin, for any game: it boots, freezes and stops. */
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

  /** True if it runs and is not frozen by a long save. */
  get awake(): boolean {
    return this.running && this.#frozen === undefined;
  }

  get uptimeMs(): number {
    return this.running ? Math.max(0, this.now() - this.#bootedAt) : 0;
  }

  readonly now = (): number => this.#options.clock() + this.#options.standing.skewMs;

  /** Resolves when the game is no longer frozen, also when it has stopped. */
  untilFree(): Promise<void> {
    return this.#frozen?.promise ?? Promise.resolve();
  }

  /** The id of the current or last run. */
  protected get lastBootId(): string | null {
    return this.#lastBootId;
  }

  /** The number of runs, including this one. */
  protected get boots(): number {
    return this.#boots;
  }

  /** Starts a new run; `prepare` runs before the plugin connects. */
  protected begin(prepare: () => void): void {
    const { newBootId, onPlugin } = this.#options;
    this.#boots++;
    this.#bootId = newBootId(this.#boots);
    this.#lastBootId = this.#bootId;
    this.#bootedAt = this.now();
    prepare();
    onPlugin(true, this.#bootId);
  }

  /** Ends the run; `tidy` runs before the plugin disconnects. */
  protected end(tidy: () => void): void {
    this.#bootId = null;
    this.release();
    tidy();
    this.#options.onPlugin(false, null);
  }

  /** Freezes the game. */
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
