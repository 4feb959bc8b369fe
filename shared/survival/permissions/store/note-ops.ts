import { literal, type Transaction } from "sequelize";

import { countChanged } from "../../../platform/db/rows.ts";
import { modelsOf } from "../../../platform/db/transaction.ts";
import type { PermissionOp } from "../permission-ops.ts";

/**
 * Writes down what a push is about to do. What stands on the server goes on to count as there until
 * the server says that it is not.
 */
export async function noteOps(
  serverId: number,
  pushId: string,
  ops: readonly PermissionOp[],
  transaction: Transaction,
): Promise<void> {
  await countChanged(transaction, note, [
    serverId,
    pushId,
    ops.map(({ subjectKind }) => subjectKind),
    ops.map(({ subject }) => subject),
    ops.map(({ kind }) => kind),
    ops.map(({ value }) => value),
    ops.map(({ op }) => op),
    ops.map(({ shape }) => shape),
  ]);
}

const note = `
  insert into survival_permission_rows
    (server_id, push_id, subject_kind, subject, kind, value, op, next_shape, state)
  select $1, $2, op.*, 'pending'
  from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) op
  on conflict (server_id, subject_kind, subject, kind, value) do update
  set push_id = excluded.push_id, op = excluded.op, next_shape = excluded.next_shape, error = null,
    state = case
      when excluded.op in ('grant', 'join', 'group') and survival_permission_rows.state <> 'pushed'
      then 'pending' else survival_permission_rows.state end`;

/** None of a push came through: what was new in it failed, unless nobody knows. */
export async function failOps(
  serverId: number,
  pushId: string,
  { reason, isLost }: { readonly reason: string; readonly isLost: boolean },
  transaction: Transaction,
): Promise<void> {
  const failed = literal("case when state = 'pending' then 'failed' else state end");
  await modelsOf(transaction).SurvivalPermissionRow.update(
    { error: reason, ...(!isLost && { state: failed }) },
    { where: { serverId, pushId }, transaction },
  );
}
