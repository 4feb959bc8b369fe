import type { Context } from "../context.ts";
import { directUrlOf } from "../db/connection/session-settings.ts";
import { acquireSourceOwnership } from "./ownership.ts";
import { waitBeforeRetry } from "./retry-delay.ts";
import { type IngestCounts, SourceIngest } from "./source-ingest.ts";
import type { GameServerSource } from "./source.ts";

type SupervisorServices = Pick<Context, "config" | "listener" | "log" | "sequelize">;

/** Makes this process the owner of each of its sources, or a standby while another process owns the source. */
export class SourceSupervisor {
  readonly #context: SupervisorServices;
  readonly #kept = new Map<string, OwnedSource>();
  readonly #leaving = new Map<string, Promise<void>>();

  constructor(context: SupervisorServices) {
    this.#context = context;
  }

  get names(): readonly string[] {
    return [...this.#kept.keys()];
  }

  /** The counts of each source by name; null while another process owns the source. */
  get counts(): ReadonlyMap<string, IngestCounts | null> {
    return new Map([...this.#kept].map(([name, { counts }]) => [name, counts]));
  }

  /** Keeps exactly these sources: starts new ones and releases all others. */
  keep(sources: readonly GameServerSource[]): void {
    const wanted = new Set(sources.map(({ name }) => name));
    for (const [name, kept] of this.#kept) {
      if (wanted.has(name)) continue;
      this.#kept.delete(name);
      this.#leave(name, kept);
    }
    for (const source of sources) {
      if (this.#kept.has(source.name)) continue;
      this.#kept.set(
        source.name,
        new OwnedSource(source, this.#context, this.#leaving.get(source.name)),
      );
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#kept.values()].map((kept) => kept.stop()));
    await Promise.all(this.#leaving.values());
  }

  #leave(name: string, kept: OwnedSource): void {
    const left = kept.stop().finally(() => {
      if (this.#leaving.get(name) === left) this.#leaving.delete(name);
    });
    this.#leaving.set(name, left);
  }
}

class OwnedSource {
  readonly #source: GameServerSource;
  readonly #context: SupervisorServices;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #current: SourceIngest | null = null;

  /** @param previousRelease an earlier release of this source by this process, which must finish first */
  constructor(
    source: GameServerSource,
    context: SupervisorServices,
    previousRelease?: Promise<void>,
  ) {
    this.#source = source;
    this.#context = context;
    this.#running = Promise.resolve(previousRelease).then(() => this.#takeInUntilStopped());
  }

  get counts(): IngestCounts | null {
    return this.#current?.stats ?? null;
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#running;
  }

  /** Owns the source or waits as a standby. Begins again after each loss of the connection. */
  async #takeInUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    const { log } = this.#context;
    while (!signal.aborted) {
      try {
        await this.#ownOnce();
      } catch (error) {
        const source = this.#source.name;
        if (!signal.aborted) {
          log.warn(
            { err: error, source },
            "this process no longer ingests the source, and tries again",
          );
        }
      }
      await waitBeforeRetry(signal);
    }
  }

  async #ownOnce(): Promise<void> {
    const { config, log } = this.#context;
    const { signal } = this.#stopping;
    const url = directUrlOf(config);
    const source = this.#source.name;
    const owner = await acquireSourceOwnership({ url, source, log, signal });
    log.info({ source, fence: owner.fence }, "this process ingests the events of the source");
    try {
      this.#current = new SourceIngest(this.#context, this.#source, owner);
      await this.#current.run(signal);
    } finally {
      this.#current = null;
      await owner.release();
    }
  }
}
