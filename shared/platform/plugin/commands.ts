import type { PluginCommand } from "../../../models/plugin/plugin-command.ts";
import { isObject, parseObject, toStorableJson } from "../bridge/json-text.ts";
import { firstRow, rows } from "../db/rows.ts";
import { AppError, invalidFieldsError } from "../errors/errors.ts";
import {
  type PluginCall,
  requireLiveKey,
  linkDisabledError,
  requireCurrentBoot,
  helloRequiredError,
} from "./calls.ts";
import { takeCommandsSql, selectOutcomeSql, storeOutcomeSql } from "./commands.sql.ts";
import { outcomeDigests } from "./digests.ts";
import { deleteLargeOutcomes, notifyCommandOutcomes } from "./outcomes.ts";
import { pluginLimits } from "./plugin-limits.ts";
import type { PluginServices } from "./services.ts";
import { beginPollSql, endPollSql, selectBootsSql, selectPollStateSql } from "./sessions.sql.ts";
import type { WakeUpListener } from "./wake-ups.ts";

type Parts = Pick<PluginServices, "sequelize">;

export interface DeliveredCommand {
  readonly id: string;
  readonly call: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: object | null;
  readonly actor: object | null;
  readonly key: string | null;
  readonly timeoutMs: number;
}

/** A long poll of a plugin for commands. */
export interface CommandPoll {
  readonly id: string;
  readonly bootId: string;
  readonly seconds: number;
  /** Aborts when the plugin's connection is lost or the process shuts down. */
  readonly signal: AbortSignal;
}

interface PollState {
  readonly isLinked: boolean;
  readonly isNewest: boolean;
  readonly bootId: string | null;
  readonly formerBoots: Readonly<Record<string, number>>;
}

/**
 * Returns commands as soon as there are any. A newer long poll of the same game server ends this one
 * without commands.
 * @throws AppError plugin_hello_required, plugin_superseded, plugin_disabled, plugin_key_ended
 */
export async function pollCommands(
  call: PluginCall,
  wait: CommandPoll,
  bell: WakeUpListener,
  { sequelize }: Parts,
): Promise<DeliveredCommand[]> {
  const { source } = call;
  const hearing = bell.subscribe(source);
  try {
    const endsAt = performance.now() + wait.seconds * 1_000;
    await beginPoll(call, wait, { sequelize });
    for (;;) {
      const state = await requirePoll(call, wait, { sequelize });
      if (!state.isNewest) return [];
      const taken = await deliverCommands(call, wait, { sequelize });
      const restMs = endsAt - performance.now();
      if (taken.length > 0 || restMs <= 0 || wait.signal.aborted) return taken;
      await hearing.wait(restMs, wait.signal);
      if (wait.signal.aborted) return [];
    }
  } finally {
    hearing.unsubscribe();
  }
}

/** Ends a long poll. The plugin counts as connected for `silentSeconds` more. */
export async function endPoll({ source }: PluginCall, waitId: string, { sequelize }: Parts) {
  await rows(sequelize, endPollSql, [source, waitId, pluginLimits.silentSeconds]);
}

/** Stores the new long poll and wakes the previous one, which then finds the newer poll and ends. */
async function beginPoll(
  { source }: PluginCall,
  { id, bootId, seconds }: CommandPoll,
  { sequelize }: Parts,
) {
  const values = [source, bootId, id, seconds + pluginLimits.silentSeconds];
  await rows(sequelize, beginPollSql, values);
}

async function requirePoll(
  { keyId, source }: PluginCall,
  { id, bootId }: CommandPoll,
  { sequelize }: Parts,
): Promise<PollState> {
  const state = await firstRow<PollState>(sequelize, selectPollStateSql, [source, id]);
  if (!state?.bootId) throw helloRequiredError();
  requireCurrentBoot(bootId, state.formerBoots);
  if (state.bootId !== bootId) throw helloRequiredError();
  await requireLiveKey(keyId, { sequelize });
  if (!state.isLinked) throw linkDisabledError();
  return state;
}

type Row = Pick<PluginCommand, "id" | "call" | "input" | "actor" | "key"> & {
  readonly timeoutMs: number;
};

async function deliverCommands(
  { source, keyId }: PluginCall,
  { id: waitId, bootId }: CommandPoll,
  { sequelize }: Parts,
): Promise<DeliveredCommand[]> {
  const values = [source, bootId, pluginLimits.commands, waitId, keyId];
  const taken = await rows<Row>(sequelize, takeCommandsSql, values);
  return taken.map(({ id, call, input, actor, key, timeoutMs }) => ({
    id,
    call,
    params: {},
    query: {},
    body: null,
    ...input,
    actor,
    key,
    timeoutMs,
  }));
}

export interface CommandOutcome {
  readonly status: number;
  readonly body: object;
}

/**
 * Reads an outcome like a sidecar's answer: long integers become texts of digits, and characters that
 * PostgreSQL cannot store are replaced.
 * @throws AppError malformed_body, validation_failed
 */
export function parseCommandOutcome(text: string): CommandOutcome {
  const parsed = parseObject(text);
  if (!parsed) throw new AppError("malformed_body", "The body must be a JSON object");
  const { status, body } = toStorableJson(parsed, text);
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) {
    throw faultError("status", "status must be a whole number from 200 to 599");
  }
  if (!isObject(body)) throw faultError("body", "body must be an object");
  return { status: Number(status), body };
}

const faultError = (path: string, message: string): AppError =>
  invalidFieldsError([{ path, message }]);

/**
 * Stores the outcome of a command and wakes its caller. The same outcome again changes nothing.
 * @throws AppError missing; plugin_answered; plugin_hello_required, plugin_superseded
 */
export async function storeCommandOutcome(
  { source, keyId }: PluginCall,
  { id, bootId }: { readonly id: string; readonly bootId: string },
  { status, body }: CommandOutcome,
  { config, sequelize }: Pick<PluginServices, "config" | "sequelize">,
): Promise<void> {
  const session = await firstRow<Pick<PollState, "bootId" | "formerBoots">>(
    sequelize,
    selectBootsSql,
    [source],
  );
  if (!session?.bootId) throw helloRequiredError();
  requireCurrentBoot(bootId, session.formerBoots);
  if (session.bootId !== bootId) throw helloRequiredError();
  const text = JSON.stringify(body);
  const digests = outcomeDigests(status, text, config);
  const values = [id, source, status, text, digests.stored, keyId];
  const stored = await firstRow(sequelize, storeOutcomeSql, values);
  if (stored) {
    await notifyCommandOutcomes([id], sequelize);
    if (Buffer.byteLength(text) > pluginLimits.smallOutcomeBytes) {
      await deleteLargeOutcomes(source, sequelize);
    }
    return;
  }
  await requireLiveKey(keyId, { sequelize });
  const known = await firstRow<Pick<PluginCommand, "state" | "outcomeDigest">>(
    sequelize,
    selectOutcomeSql,
    [id, source],
  );
  if (!known) throw new AppError("not_found", "Unknown or withdrawn command");
  if (known.state === "lost") return;
  if (known.outcomeDigest && digests.include(known.outcomeDigest)) return;
  throw new AppError(
    "plugin_answered",
    "The site has already stored another outcome of the command",
  );
}
