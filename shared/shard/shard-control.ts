import type { Sequelize } from "sequelize";

import { BridgeError } from "../bridge/bridge-error.ts";
import { type Control, type ControlOptions, createControl } from "../bridge/control.ts";
import type { SecretsKeys } from "../crypto/sealed.ts";
import type { Listener } from "../db/listen.ts";
import type { Logger } from "../log.ts";
import { HeardValue } from "../notify/heard-value.ts";
import { clearControlFault, isControlFault, recordControlFault } from "./control-fault.ts";
import { readShardlink, type UsableLink, usableLink } from "./shardlink.ts";

export interface ShardControlGround {
  readonly config: { readonly SECRETS_KEYS: SecretsKeys };
  readonly sequelize: Sequelize;
  readonly listener: Listener;
  readonly log: Logger;
}

/**
 * The shard's control plane as a process keeps it: with the link that is configured now, and with
 * connections that requests share.
 */
export class ShardControl {
  readonly #ground: ShardControlGround;
  readonly #options: ControlOptions;
  readonly #link: HeardValue<SharedControl | null>;

  /** @param options bounds other than the protocol's own */
  constructor(ground: ShardControlGround, options: ControlOptions = {}) {
    this.#ground = ground;
    this.#options = options;
    this.#link = new HeardValue<SharedControl | null>({
      channel: "shardlink_config",
      read: () => this.#connect(),
      initial: null,
      listener: ground.listener,
      log: ground.log,
    });
  }

  /** Takes up the link as it is stored; calls that are under way end as they began. */
  reload(): Promise<void> {
    return this.#link.reload();
  }

  /** Gives the connections up; calls that are under way keep theirs until they end. */
  close(): Promise<void> {
    this.#link.current?.retire();
    return Promise.resolve();
  }

  /**
   * Makes a call to the sidecar; whether it takes our token and protocol is seen in the link's state.
   * @throws {BridgeError} when there is no good answer, `SHARD_DOWN` while the link is off
   */
  async call<Answer>(make: (control: Control) => Promise<Answer>): Promise<Answer> {
    const shared = this.#link.current;
    if (!shared) throw linkOff();
    try {
      const answer = await shared.lend(make);
      await this.#noteSuccess(shared);
      return answer;
    } catch (error) {
      if (isControlFault(error)) await this.#noteFault(shared, error);
      throw error;
    }
  }

  async #noteSuccess(shared: SharedControl): Promise<void> {
    if (!this.#isPresent(shared) || performance.now() < shared.soundUntil) return;
    await clearControlFault(this.#ground.sequelize);
    shared.soundUntil = performance.now() + lookAgainMs;
  }

  async #noteFault(shared: SharedControl, fault: BridgeError): Promise<void> {
    if (!this.#isPresent(shared)) return;
    shared.soundUntil = 0;
    await recordControlFault(fault, this.#ground.sequelize);
  }

  /** What a link that was replaced meanwhile met says nothing of the present one. */
  #isPresent(shared: SharedControl): boolean {
    return shared === this.#link.current;
  }

  async #connect(): Promise<SharedControl | null> {
    const link = await this.#readLink();
    this.#link.current?.retire();
    return link && new SharedControl(createControl(link, this.#options));
  }

  async #readLink(): Promise<UsableLink | null> {
    const { sequelize, config, log } = this.#ground;
    const stored = await readShardlink(sequelize);
    try {
      return usableLink(stored, config.SECRETS_KEYS);
    } catch (error) {
      log.error({ err: error }, "the link to the shard cannot be used");
      return null;
    }
  }
}

/** Another process may have found the link at fault: each success of one looks for it so often. */
const lookAgainMs = 10_000;

const linkOff = (): BridgeError =>
  new BridgeError("SHARD_DOWN", { reason: "the link to the shard is off", retryAfter: 10 });

/** Connections that are closed when nobody needs them any more: a command is not cut in two. */
class SharedControl {
  /** Until when no fault of the link has to be looked for; by the clock of `performance.now`. */
  soundUntil = 0;
  readonly #control: Control;
  #calls = 0;
  #isRetired = false;

  constructor(control: Control) {
    this.#control = control;
  }

  async lend<Answer>(make: (control: Control) => Promise<Answer>): Promise<Answer> {
    this.#calls += 1;
    try {
      return await make(this.#control);
    } finally {
      this.#calls -= 1;
      this.#closeIfDone();
    }
  }

  retire(): void {
    this.#isRetired = true;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#isRetired && this.#calls === 0) this.#control.close();
  }
}
