import type { PluginCommand } from "../../../models/plugin/plugin-command.ts";
import { firstRow, rows } from "../db/rows.ts";
import { AppError } from "../errors/errors.ts";
import {
  isKeyUsableSql,
  type PluginCall,
  requireLiveKey,
  linkDisabledError,
  requireCurrentBoot,
  helloRequiredError,
} from "./calls.ts";
import { outcomeDigests } from "./digests.ts";
import { deleteLargeOutcomes, notifyOutcomes } from "./outcomes.ts";
import { pluginLimits } from "./plugin-limits.ts";
import type { PluginServices } from "./services.ts";
import { isLinkedByPluginSql } from "./sources.ts";
import type { WakeUps } from "./wake-ups.ts";

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
  bell: WakeUps,
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
  await rows(sequelize, endingWait, [source, waitId, pluginLimits.silentSeconds]);
}

/** Stores the new long poll and wakes the previous one, which sees the newer one and ends. */
async function beginPoll(
  { source }: PluginCall,
  { id, bootId, seconds }: CommandPoll,
  { sequelize }: Parts,
) {
  const values = [source, bootId, id, seconds + pluginLimits.silentSeconds];
  await rows(sequelize, beginningWait, values);
}

const beginningWait = {
  name: "plugin_wait_begin",
  text: `
  with former as (
    select wait_id from plugin_sessions where source = $1 and boot_id = $2),
  begun as (
    update plugin_sessions set wait_id = $3::uuid,
      alive_until = clock_timestamp() + make_interval(secs => $4::integer)
    where source = $1 and boot_id = $2 returning source)
  select pg_notify('plugin_calls', json_build_object('source', source)::text) from begun
  where exists (select from former where wait_id is not null)`,
};

const endingWait = {
  name: "plugin_wait_end",
  text: `
  update plugin_sessions set wait_id = null,
    alive_until = clock_timestamp() + make_interval(secs => $3::integer)
  where source = $1 and wait_id = $2::uuid`,
};

async function requirePoll(
  { keyId, source }: PluginCall,
  { id, bootId }: CommandPoll,
  { sequelize }: Parts,
): Promise<PollState> {
  const state = await firstRow<PollState>(sequelize, waitState, [source, id]);
  if (!state?.bootId) throw helloRequiredError();
  requireCurrentBoot(bootId, state.formerBoots);
  if (state.bootId !== bootId) throw helloRequiredError();
  await requireLiveKey(keyId, { sequelize });
  if (!state.isLinked) throw linkDisabledError();
  return state;
}

const waitState = {
  name: "plugin_wait_state",
  text: `
  select ${isLinkedByPluginSql("$1")} as "isLinked", coalesce(wait_id = $2::uuid, false) as "isNewest",
    boot_id as "bootId", former_boots as "formerBoots"
  from plugin_sessions where source = $1`,
};

type Row = Pick<PluginCommand, "id" | "call" | "input" | "actor" | "key"> & {
  readonly timeoutMs: number;
};

async function deliverCommands(
  { source, keyId }: PluginCall,
  { id: waitId, bootId }: CommandPoll,
  { sequelize }: Parts,
): Promise<DeliveredCommand[]> {
  const values = [source, bootId, pluginLimits.commands, waitId, keyId];
  const taken = await rows<Row>(sequelize, deliverSql, values);
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

/**
 * Returns each command once, in order, and only to the newest long poll of the game process while its key
 * and link are valid. The lock on the session makes a hello or a newer poll wait. The input is deleted
 * after that, because it may contain the password of a game account.
 */
const deliverSql = {
  name: "plugin_commands_take",
  text: `
  with session as (
    select source from plugin_sessions
    where source = $1 and boot_id = $2 and wait_id = $4::uuid and ${isLinkedByPluginSql("$1")}
      and ${isKeyUsableSql("$5::bigint")}
    for share),
  next as (
    select number, input from plugin_commands
    where source = (select source from session) and state = 'waiting'
      and take_before > clock_timestamp()
    order by number limit $3 for update skip locked),
  taken as (
    update plugin_commands set state = 'taken', taken_at = clock_timestamp(), boot_id = $2,
      input = '{}'
    from next where plugin_commands.number = next.number
    returning plugin_commands.*, next.input as given)
  select id, call, given as input, actor, key,
    greatest(0, ceil(extract(epoch from answer_before - clock_timestamp()) * 1000))::integer
      as "timeoutMs"
  from taken order by number`,
};

export interface CommandOutcome {
  readonly status: number;
  readonly body: object;
}

/**
 * Stores the outcome of a command and wakes its caller. The same outcome again changes nothing.
 * @throws AppError missing; plugin_answered; plugin_hello_required, plugin_superseded
 */
export async function answerCommand(
  { source, keyId }: PluginCall,
  { id, bootId }: { readonly id: string; readonly bootId: string },
  { status, body }: CommandOutcome,
  { config, sequelize }: Pick<PluginServices, "config" | "sequelize">,
): Promise<void> {
  const session = await firstRow<Pick<PollState, "bootId" | "formerBoots">>(
    sequelize,
    `select boot_id as "bootId", former_boots as "formerBoots" from plugin_sessions
     where source = $1`,
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
    await notifyOutcomes([id], sequelize);
    if (Buffer.byteLength(text) > pluginLimits.smallOutcomeBytes) {
      await deleteLargeOutcomes(source, sequelize);
    }
    return;
  }
  await requireLiveKey(keyId, { sequelize });
  const known = await firstRow<Pick<PluginCommand, "state" | "outcomeDigest">>(
    sequelize,
    `select state, outcome_digest as "outcomeDigest" from plugin_commands
     where id = $1 and source = $2 and state <> 'waiting'`,
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

/**
 * Also stores the outcome of a lost command, unless a later command uses its key. If nobody can request
 * the outcome, stores only its digest.
 */
export const storeOutcomeSql = {
  name: "plugin_command_answer",
  text: `
  update plugin_commands command set state = 'answered', loss = null, status = $3,
    outcome = case when kept_for <> 'nobody' then $4 end, outcome_digest = $5, answered_at = clock_timestamp()
  where id = $1::uuid and source = $2 and ${isKeyUsableSql("$6::bigint")} and (state = 'taken' or (state = 'lost' and not exists (
    select from plugin_commands later
    where later.source = $2 and later.key = command.key and later.number > command.number)))
  returning id`,
};
