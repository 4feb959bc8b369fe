import type { ActiveFaults } from "../faults/standing.ts";

export interface ProcessOptions {
  readonly standing: ActiveFaults;
  readonly clock: () => number;
  /**
   * The number of boots by earlier processes with this buffer. Counting continues from this number, so that no
   * boot repeats the id of an earlier boot.
   */
  readonly bootsBefore: number;
  readonly newBootId: (boot: number) => string;
  /** Called before the plugin's first event and after the plugin has disconnected. */
  readonly onPlugin: (connected: boolean, bootId: string | null) => void;
}

/** A game of any kind and its plugin. The game boots, freezes and stops. */
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

  /** The id of the running boot. Null while the plugin is not connected. */
  get bootId(): string | null {
    return this.#bootId;
  }

  get running(): boolean {
    return this.#bootId !== null;
  }

  /** True if the game runs and no long save blocks it. */
  get awake(): boolean {
    return this.running && this.#frozen === undefined;
  }

  get uptimeMs(): number {
    return this.running ? Math.max(0, this.now() - this.#bootedAt) : 0;
  }

  readonly now = (): number => this.#options.clock() + this.#options.standing.skewMs;

  /** Resolves when the game is not frozen or has stopped. */
  untilFree(): Promise<void> {
    return this.#frozen?.promise ?? Promise.resolve();
  }

  /** The id of the running boot or, without one, of the last boot. */
  protected get lastBootId(): string | null {
    return this.#lastBootId;
  }

  /** The number of boots so far, including the running one. */
  protected get boots(): number {
    return this.#boots;
  }

  /** Begins a boot. `prepare` is called before the plugin connects. */
  protected begin(prepare: () => void): void {
    const { newBootId, onPlugin } = this.#options;
    this.#boots++;
    this.#bootId = newBootId(this.#boots);
    this.#lastBootId = this.#bootId;
    this.#bootedAt = this.now();
    prepare();
    onPlugin(true, this.#bootId);
  }

  /** Ends the boot. `tidy` is called before the plugin disconnects. */
  protected end(tidy: () => void): void {
    this.#bootId = null;
    this.release();
    tidy();
    this.#options.onPlugin(false, null);
  }

  /** Freezes the game, as a long save does. */
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
