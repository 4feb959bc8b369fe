import type { Sequelize } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import {
  type ControlClient,
  type ControlOptions,
  createControlClient,
  SharedControlClient,
} from "../../platform/bridge/calls/control.ts";
import type { Config } from "../../platform/config/config.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import type { Logger } from "../../platform/log.ts";
import type { Listener } from "../../platform/notify/listener.ts";
import { WatchedValue } from "../../platform/notify/live-value.ts";
import {
  createPluginControlClient,
  type PluginControlServices,
} from "../../platform/plugin/control.ts";
import {
  pluginCallsProtocol,
  readSidecarLink,
  type UsableLink,
  toUsableLink,
} from "./sidecar-link.ts";

export interface ShardControlServices {
  readonly config: Pick<Config, "JWT_KEYS" | "SECRETS_KEYS">;
  readonly sequelize: Sequelize;
  readonly models: Models;
  readonly listener: Listener;
  readonly log: Logger;
}

/** The control plane of the configured link, with connections that all requests of this process share. */
export class ShardControlClient {
  readonly #parts: ShardControlServices;
  readonly #options: ControlOptions;
  readonly #link: WatchedValue<SharedControlClient | null>;

  /** @param options timeouts and maximum answer size, in place of the defaults */
  constructor(parts: ShardControlServices, options: ControlOptions = {}) {
    const { listener, log } = parts;
    this.#parts = parts;
    this.#options = options;
    this.#link = new WatchedValue<SharedControlClient | null>({
      channel: "shardlink_config",
      read: () => this.#connect(),
      initial: null,
      listener,
      log,
    });
  }

  /** Reads the stored link again. Running calls finish over the old link. */
  reload(): Promise<void> {
    return this.#link.reload();
  }

  /** Closes the connections after the running calls have finished. */
  close(): Promise<void> {
    this.#link.current?.closeWhenIdle();
    return Promise.resolve();
  }

  /**
   * Sends a call to the shard. If a sidecar refuses the token or protocol, the fault is stored with the link.
   * @throws {BridgeError} if there is no valid answer; `SHARD_DOWN` while the link is off
   */
  async call<Answer>(make: (control: ControlClient) => Promise<Answer>): Promise<Answer> {
    const shared = this.#link.current;
    if (!shared) throw linkOffError();
    return shared.run(make);
  }

  /**
   * Opens separate connections, which the caller must close. The faults of these connections are stored with the
   * link.
   */
  connect(link: UsableLink, options: ControlOptions = this.#options): ControlClient {
    const { read, command, ...control } = openControlClient(link, this.#parts, options);
    // Plugins and status packets cannot refuse a token or a protocol, so there is nothing to record.
    if (link.kind !== "sidecar") return { ...control, read, command };
    return {
      ...control,
      read: (...given) => this.#watch(link, read(...given)),
      command: (...given) => this.#watch(link, command(...given)),
    };
  }

  /**
   * Stores the fault that a failed call shows. After a success it deletes the fault, which another process may
   * have stored. If the write fails, the error is only logged, because the command was executed.
   */
  async #watch<Answer>(link: UsableLink, call: Promise<Answer>): Promise<Answer> {
    const { log, sequelize } = this.#parts;
    const warn = (err: unknown) => log.warn({ err }, "the state of the link could not be stored");
    const beganAt = performance.now();
    try {
      const answer = await call;
      await clearControlFault(link, performance.now() - beganAt, sequelize).catch(warn);
      return answer;
    } catch (error) {
      if (isControlFault(error)) await recordControlFault(error, link, sequelize).catch(warn);
      throw error;
    }
  }

  async #connect(): Promise<SharedControlClient | null> {
    const link = await this.#readLink();
    this.#link.current?.closeWhenIdle();
    return link && new SharedControlClient(this.connect(link));
  }

  async #readLink(): Promise<UsableLink | null> {
    const { models, config, log } = this.#parts;
    const stored = await readSidecarLink(models);
    try {
      return toUsableLink(stored, config.SECRETS_KEYS);
    } catch (error) {
      log.error({ err: error }, "the link to the shard cannot be used");
      return null;
    }
  }
}

const linkOffError = (): BridgeError =>
  new BridgeError("SHARD_DOWN", {
    reason: "the link to the shard is off",
    retryAfter: 10,
    isUnsent: true,
  });

/** Opens the control plane of a link. The caller must close it. */
export function openControlClient(
  link: UsableLink,
  parts: PluginControlServices,
  options: ControlOptions = {},
): ControlClient {
  if (link.kind === "plugin") return createPluginControlClient(link, parts, options);
  return link.kind === "status" ? statusOnlyControl : createControlClient(link, options);
}

const rejectCall = (): Promise<never> => {
  const reason = "the shard is linked only by its status packet, which supports no commands";
  return Promise.reject(new BridgeError("UNSUPPORTED", { reason }));
};

/** The control plane of a shard that only answers status packets. It refuses every call. */
const statusOnlyControl: ControlClient = {
  protocol: pluginCallsProtocol,
  read: rejectCall,
  command: rejectCall,
  download: rejectCall,
  close: () => undefined,
};

/** Returns true if only an administrator can repair the fault: the token or the protocol is wrong. */
const isControlFault = (error: unknown): error is BridgeError =>
  error instanceof BridgeError && ["PROTOCOL", "UNAUTHORIZED"].includes(error.code);

type LinkVersion = Pick<UsableLink, "changedAt">;

/**
 * Marks the link as faulty until a call of any process succeeds or the configuration is saved. A fault of a
 * replaced link is ignored: `for share` waits until a running save of the configuration ends.
 */
async function recordControlFault(
  { reason }: BridgeError,
  { changedAt }: LinkVersion,
  sequelize: Sequelize,
): Promise<void> {
  await executeStatement(
    sequelize,
    `insert into shard_facts (name, value)
     select 'control_fault', $1::jsonb from shardlink where changed_at = $2::timestamptz for share
     on conflict (name) do update set value = excluded.value, updated_at = clock_timestamp()`,
    [JSON.stringify({ reason }), changedAt],
  );
}

/** Deletes the fault of the link, unless it was recorded after the call began. @param tookMs duration of the call */
async function clearControlFault(
  { changedAt }: LinkVersion,
  tookMs: number,
  sequelize: Sequelize,
): Promise<void> {
  await executeStatement(sequelize, clearFaultStatement, [changedAt, tookMs]);
}

/** Every successful call runs this statement, so it has a name: PostgreSQL then prepares it only once. */
const clearFaultStatement = {
  name: "clear control fault",
  text: `
    delete from shard_facts using shardlink
    where name = 'control_fault' and changed_at = $1::timestamptz
      and updated_at <= clock_timestamp() - make_interval(secs => $2::float8 / 1000)`,
};
