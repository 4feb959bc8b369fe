import { serviceActor } from "../../bridge/call.ts";
import type { Control } from "../../bridge/control.ts";
import type { StreamFrame } from "../../bridge/frames.ts";
import type { Ownership } from "../../ingest/ownership.ts";
import type { Logger } from "../../log.ts";
import { listLinks, resync } from "../bridge-calls.ts";
import { reconcileLinks } from "../links.ts";
import { readStale } from "../states/stale.ts";

/** Until what was asked for is asked for again; doubles while it does not come. */
const firstWaitMs = 15_000;
const longestWaitMs = 600_000;

/**
 * Asks the sidecar for what the stream alone does not bring: the links, whenever the shard comes
 * back, and whole snapshots of stale states. It runs beside the stream, and asks until it has what
 * it asked for.
 */
export class FollowUp {
  readonly #owner: Ownership;
  readonly #log: Logger;
  #control: Control | null = null;
  /** In memory: whoever owns the source next asks for the links at its own hello. */
  #wantsLinks = false;
  #waitMs = firstWaitMs;
  #isDue = false;
  #asking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(owner: Ownership, log: Logger) {
    this.#owner = owner;
    this.#log = log;
  }

  /** Asks through this from now on; null: there is nobody to ask. */
  use(control: Control | null): void {
    this.#control?.close();
    this.#control = control;
  }

  /** Looks at frames that were stored, and asks at once for what they make doubtful. */
  after(frames: readonly StreamFrame[]): void {
    const isBack = frames.some(({ type }) => type === "hello") || frames.some(isReturn);
    if (isBack) this.#wantsLinks = true;
    if (!isBack && !frames.some(({ type }) => type === "gap")) return;
    this.#waitMs = firstWaitMs;
    this.#ask();
  }

  stop(): void {
    this.use(null);
    clearTimeout(this.#timer);
  }

  #ask(): void {
    clearTimeout(this.#timer);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#asking = this.#asking.then(() => this.#askNow());
  }

  async #askNow(): Promise<void> {
    this.#isDue = false;
    const control = this.#control;
    if (!control) return;
    try {
      if (this.#wantsLinks) await this.#takeLinks(control);
      if (await this.#askForStates(control)) this.#askLater();
    } catch (error) {
      if (control !== this.#control) return;
      this.#log.warn({ err: error }, "the sidecar did not answer a follow-up");
      this.#askLater();
    }
  }

  /** What was promised may still be torn on its way, so somebody has to look again. */
  #askLater(): void {
    this.#timer = setTimeout(() => this.#ask(), this.#waitMs).unref();
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs);
  }

  async #takeLinks(control: Control): Promise<void> {
    this.#wantsLinks = false;
    try {
      await this.#reconcile(control);
    } catch (error) {
      this.#wantsLinks = true;
      throw error;
    }
  }

  async #reconcile(control: Control): Promise<void> {
    const askedAt = await this.#owner.use(async (sql) => {
      const { rows } = await sql.query<{ now: Date }>("select clock_timestamp() as now");
      return rows[0]?.now ?? new Date();
    });
    const { links } = await control.read(listLinks);
    await this.#owner.useTransaction(async (sql) => {
      await this.#owner.hold(sql);
      await reconcileLinks(links, askedAt, sql);
    });
  }

  /** @returns whether there was anything to ask for */
  async #askForStates(control: Control): Promise<boolean> {
    const { source } = this.#owner;
    const families = await this.#owner.use((sql) => readStale(source, sql));
    if (families.length === 0) return false;
    await control.command(resync, { actor: serviceActor }, { body: { families } });
    return true;
  }
}

const isReturn = (frame: StreamFrame): boolean => frame.type === "plugin" && frame.connected;
