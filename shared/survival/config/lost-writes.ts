import type { SurvivalConfigWrite } from "../../../models/survival/survival-config-write.ts";
import { type Database, rows } from "../../db/rows.ts";
import type { Notice } from "../frames/notice.ts";

type Lost = Pick<SurvivalConfigWrite, "serverId" | "writeId" | "plugin" | "settleBy">;

/**
 * What others are told of writes that were lost within the day in which staff want to know, whether a
 * job has noted that or not.
 */
export async function lostWrites(
  serverIds: readonly number[],
  database: Database,
): Promise<Notice[]> {
  const found = await rows<Lost>(database, lost, [serverIds]);
  return found.map(({ serverId, settleBy, ...write }) =>
    outcomeNotice({ ...write, outcome: "lost" }, serverId, settleBy.valueOf()),
  );
}

interface Ended extends Pick<SurvivalConfigWrite, "writeId" | "plugin"> {
  readonly outcome: "ok" | "failed" | "rolled-back" | "lost";
}

/** A write ends once: what is told of it first stays. */
export const outcomeNotice = (ended: Ended, serverId: number, t: number): Notice => ({
  id: "survival.config.outcome",
  serverId,
  key: `config:${ended.writeId}`,
  t,
  variables: { ...ended },
});

const lost = `
  select server_id as "serverId", write_id as "writeId", plugin, settle_by as "settleBy"
  from survival_config_writes
  where server_id = any($1::integer[]) and state in ('reloading', 'lost')
    and settle_by < clock_timestamp() and settle_by > clock_timestamp() - interval '1 day'`;
