import type { Transaction } from "sequelize";

import { rows } from "../platform/db/rows.ts";
import { modelsOf } from "../platform/db/transaction.ts";
import type { RunLogKind } from "./vocabulary.ts";

export interface LogLine {
  readonly runId: number;
  readonly kind: RunLogKind;
  readonly stepId?: number | null;
  /** The key of the phase. */
  readonly phase?: string | null;
  readonly detail?: Record<string, unknown>;
}

/** Notifies live views of runs that changed outside the engine. */
export async function notifyRunChanges(
  runIds: readonly number[],
  transaction: Transaction,
): Promise<void> {
  await rows(
    transaction,
    `select pg_notify('event_changes', json_build_object('runId', id, 'stepIds', '[]'::json)::text)
     from unnest($1::integer[]) as changed (id)`,
    [runIds],
  );
}

/** Writes log lines in the transaction of the changes that they describe. */
export async function writeRunLog(
  lines: readonly LogLine[],
  transaction: Transaction,
): Promise<void> {
  await modelsOf(transaction).EventLogLine.bulkCreate(
    lines.map(({ stepId = null, phase = null, detail = {}, ...line }) => ({
      ...line,
      stepId,
      phase,
      detail,
    })),
    { transaction },
  );
}
