import type {
  ConfigWriteOutcome,
  LateWriteOutcome,
  SurvivalConfigWrite,
} from "../../../models/survival/survival-config-write.ts";
import type { Context } from "../../platform/context.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import { limits } from "../../platform/limits.ts";
import { maskSecretsInLines } from "../../platform/secret-texts/secret-finder.ts";
import { toPlainLog } from "../../platform/texts/plain-text.ts";
import type { FrameHandlerContext, FrameHandlers, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import type { SurvivalNotification } from "../kinds/notification.ts";
import { unsealSecrets } from "./config-seals.ts";

type OutcomePayload = SurvivalPayload<"config.outcome">;

export const configOutcomeHandlers: FrameHandlers = { "config.outcome": settleWrite };

/** Ends a write with its reported outcome, even after the deadline. Ignores unknown writes. */
async function settleWrite(
  { payload, t }: ReceivedFrame<OutcomePayload>,
  { serverId, connection, context, tell }: FrameHandlerContext,
): Promise<void> {
  const { writeId, plugin, ok } = payload;
  const write = await firstRow<Pick<SurvivalConfigWrite, "secretsSealed">>(
    connection,
    `select secrets_sealed as "secretsSealed" from survival_config_writes
     where server_id = $1 and write_id = $2 for update`,
    [serverId, writeId],
  );
  if (!write) return;
  const secrets = unsealSecrets(writeId, write.secretsSealed, context.config.SECRETS_KEYS);
  const { message, logTail } = coverSecrets(payload, secrets);
  const of = [serverId, writeId, payload.afterHash];
  const told = [message, logTail];
  const outcome = outcomeOf(payload);
  const settled = await firstRow(connection, settle, [...of, outcome, ...told]);
  if (settled) return tell(outcomeNotice({ writeId, plugin, outcome }, serverId, t));
  const late: LateWriteOutcome = { ok, at: timeOf(t), message, logTail };
  await executeStatement(connection, storeLateOutcome, [...of, JSON.stringify(late)]);
}

const outcomeOf = ({ ok, rolledBack }: OutcomePayload): ConfigWriteOutcome => {
  if (ok) return "ok";
  return rolledBack === true ? "rolled-back" : "failed";
};

const timeOf = (t: number): string => new Date(Math.min(t, 8.64e15)).toISOString();

/**
 * Masks secrets, then cuts the texts, because masking would miss a cut secret. Drops the texts if the secrets are
 * unknown.
 */
function coverSecrets(
  { message, logTail }: OutcomePayload,
  secrets: readonly string[] | undefined,
) {
  if (!secrets) return { message: null, logTail: [] };
  const [said = null] = message ? maskSecretsInLines([message], secrets) : [];
  const lines = maskSecretsInLines((logTail ?? []).slice(-limits.logTail.lines), secrets);
  return {
    message: said && toPlainLog(said, limits.logTail.message),
    logTail: lines.map((line) => toPlainLog(line, limits.logTail.line)),
  };
}

const settle = `
  with settled as (
    update survival_config_writes
    set state = 'settled', outcome = $4, settled_at = clock_timestamp(), after_hash = $3,
      message = $5, log_tail = $6, secrets_sealed = null
    where server_id = $1 and write_id = $2 and state = 'reloading'
      and settle_by >= clock_timestamp()
    returning write_id
  ), entered as (
    update survival_ledger
    set state = case when $4 = 'ok' then 'confirmed' else 'failed' end,
      confirmed_at = case when $4 = 'ok' then clock_timestamp() end,
      ended_at = case when $4 = 'ok' then null else clock_timestamp() end,
      reason = nullif($4, 'ok')
    where server_id = $1 and what = 'config' and ref = $2 and state = 'pushed'
      and exists (select from settled)
  )
  select write_id from settled`;

const storeLateOutcome = `
  with lost as (
    update survival_config_writes
    set state = 'lost', late_outcome = $4, after_hash = $3, secrets_sealed = null
    where server_id = $1 and write_id = $2 and outcome is null and late_outcome is null
    returning write_id
  )
  update survival_ledger
  set state = 'lost', reason = 'timeout', ended_at = clock_timestamp()
  where server_id = $1 and what = 'config' and ref = $2 and state = 'pushed'
    and exists (select from lost)`;

/** Returns notices of writes that were lost within the last day, even if no job has marked them as lost yet. */
export async function findLostWriteNotifications(
  serverIds: readonly number[],
  { models }: Pick<Context, "models">,
): Promise<SurvivalNotification[]> {
  const found = await models.SurvivalConfigWrite.scope("lostLately").findAll({
    where: { serverId: [...serverIds] },
    attributes: ["serverId", "writeId", "plugin", "settleBy"],
    raw: true,
  });
  return found.map(({ serverId, settleBy, ...write }) =>
    outcomeNotice({ ...write, outcome: "lost" }, serverId, settleBy.valueOf()),
  );
}

interface WriteEnd extends Pick<SurvivalConfigWrite, "writeId" | "plugin"> {
  readonly outcome: "ok" | "failed" | "rolled-back" | "lost";
}

/** The key is the same for all notices of one write, so only the first is sent. */
const outcomeNotice = (ended: WriteEnd, serverId: number, t: number): SurvivalNotification => ({
  id: "survival.config.outcome",
  serverId,
  key: `config:${ended.writeId}`,
  t,
  variables: { ...ended },
});
