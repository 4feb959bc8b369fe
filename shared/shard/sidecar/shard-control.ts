import type { Sequelize } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import {
  type Control,
  type ControlOptions,
  createControl,
  SharedControl,
} from "../../platform/bridge/calls/control.ts";
import type { Config } from "../../platform/config/config.ts";
import { countChanged } from "../../platform/db/rows.ts";
import type { Logger } from "../../platform/log.ts";
import type { Listener } from "../../platform/notify/listener.ts";
import { LiveValue } from "../../platform/notify/live-value.ts";
import { createPluginControl, type PluginControlParts } from "../../platform/plugin/control.ts";
import {
  pluginCallsProtocol,
  readSidecarLink,
  type UsableLink,
  usableLink,
} from "./sidecar-link.ts";

/** What the control plane is built from. */
export interface ShardControlParts {
  readonly config: Pick<Config, "JWT_KEYS" | "SECRETS_KEYS">;
  readonly sequelize: Sequelize;
  readonly models: Models;
  readonly listener: Listener;
  readonly log: Logger;
}

/**
 * The shard's control plane as a process keeps it: with the link that is configured now, and with
 * connections that requests share.
 */
export class ShardControl {
  readonly #parts: ShardControlParts;
  readonly #options: ControlOptions;
  readonly #link: LiveValue<SharedControl | null>;

  /** @param options bounds other than the protocol's own */
  constructor(parts: ShardControlParts, options: ControlOptions = {}) {
    const { listener, log } = parts;
    this.#parts = parts;
    this.#options = options;
    this.#link = new LiveValue<SharedControl | null>({
      channel: "shardlink_config",
      read: () => this.#connect(),
      initial: null,
      listener,
      log,
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
    return shared.lend(make);
  }

  /** Connections for one caller alone, who closes them; what they meet is noted all the same. */
  connect(link: UsableLink, options: ControlOptions = this.#options): Control {
    const { read, command, ...control } = openControl(link, this.#parts, options);
    // Only a sidecar has a token and a protocol that calls could be refused for.
    if (link.kind !== "sidecar") return { ...control, read, command };
    return {
      ...control,
      read: (...given) => this.#watch(link, read(...given)),
      command: (...given) => this.#watch(link, command(...given)),
    };
  }

  /**
   * A command was carried out even where that cannot be noted, so the call's own answer is given. Each
   * success is noted: a process that kept in mind that the link is sound would pass over a fault that
   * another one has just met.
   */
  async #watch<Answer>(link: UsableLink, call: Promise<Answer>): Promise<Answer> {
    const { log, sequelize } = this.#parts;
    const warn = (err: unknown) => log.warn({ err }, "the state of the link was not written");
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

  async #connect(): Promise<SharedControl | null> {
    const link = await this.#readLink();
    this.#link.current?.retire();
    return link && new SharedControl(this.connect(link));
  }

  async #readLink(): Promise<UsableLink | null> {
    const { models, config, log } = this.#parts;
    const stored = await readSidecarLink(models);
    try {
      return usableLink(stored, config.SECRETS_KEYS);
    } catch (error) {
      log.error({ err: error }, "the link to the shard cannot be used");
      return null;
    }
  }
}

const linkOff = (): BridgeError =>
  new BridgeError("SHARD_DOWN", {
    reason: "the link to the shard is off",
    retryAfter: 10,
    isUnsent: true,
  });

/** The control plane of the shard as it is linked; whoever opens it closes it. */
export function openControl(
  link: UsableLink,
  parts: PluginControlParts,
  options: ControlOptions = {},
): Control {
  if (link.kind === "plugin") return createPluginControl(link, parts, options);
  return link.kind === "status" ? deaf : createControl(link, options);
}

const refuse = (): Promise<never> => {
  const reason = "the shard is linked by its status packet alone, which takes no commands";
  return Promise.reject(new BridgeError("UNSUPPORTED", { reason }));
};

/** A shard that has nothing installed can be asked for its status alone. */
const deaf: Control = {
  protocol: pluginCallsProtocol,
  read: refuse,
  command: refuse,
  download: refuse,
  close: () => undefined,
};

/** Whether only an administrator can mend it: the token or the protocol is wrong. */
const isControlFault = (error: unknown): error is BridgeError =>
  error instanceof BridgeError && ["PROTOCOL", "UNAUTHORIZED"].includes(error.code);

/** The link as it was when the call was made. */
type UsedLink = Pick<UsableLink, "changedAt">;

/**
 * Has the link shown in error, whatever its socket says, until a call of any process succeeds or the
 * configuration is saved. The fault of a link that was replaced since says nothing of the present one,
 * so it is not recorded; a configuration that is being saved is waited for.
 */
async function recordControlFault(
  { reason }: BridgeError,
  { changedAt }: UsedLink,
  sequelize: Sequelize,
): Promise<void> {
  await countChanged(
    sequelize,
    `insert into shard_facts (name, value)
     select 'control_fault', $1::jsonb from shardlink where changed_at = $2::timestamptz for share
     on conflict (name) do update set value = excluded.value, updated_at = clock_timestamp()`,
    [JSON.stringify({ reason }), changedAt],
  );
}

/** @param tookMs how long the call took that succeeded: a fault that was met since it began stands */
async function clearControlFault(
  { changedAt }: UsedLink,
  tookMs: number,
  sequelize: Sequelize,
): Promise<void> {
  await countChanged(sequelize, clearing, [changedAt, tookMs]);
}

/** Every call that succeeds does this. */
const clearing = {
  name: "clear control fault",
  text: `
    delete from shard_facts using shardlink
    where name = 'control_fault' and changed_at = $1::timestamptz
      and updated_at <= clock_timestamp() - make_interval(secs => $2::float8 / 1000)`,
};
