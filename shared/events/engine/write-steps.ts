import type { Transaction } from "sequelize";

import { countChanged } from "../../platform/db/rows.ts";
import { columnNamesSql, givenValuesSql, givenRowsSql } from "../../platform/db/sql-text.ts";
import { findAction } from "../actions/catalogue.ts";
import type { EventSpec } from "../spec/spec.ts";

const columns = {
  phase: "text",
  phaseIndex: "smallint",
  seq: "smallint",
  key: "text",
  actionId: "text",
  actionVersion: "integer",
  params: "jsonb",
  offsetSeconds: "integer",
  onFailure: "text",
  confirm: "boolean",
  budgetMs: "integer",
  maxAttempts: "integer",
  triesAllowed: "integer",
} as const;

/**
 * The idempotency key contains the id of the database. A new database counts ids from 1 again, and
 * a game server that knows the key of an old step would not carry out the effect.
 */
const statement = `
  with given as (
    select nextval(pg_get_serial_sequence('event_steps', 'id'))::integer as id, given.*
    from ${givenRowsSql("$2", columns)}
  )
  insert into event_steps (id, run_id, ${columnNamesSql(columns)}, idempotency_key)
  select given.id, $1::integer, ${givenValuesSql(columns)},
    format('evt:%s:%s:%s', installation.uuid, $1::integer, given.id)
  from given cross join event_installation installation`;

export async function writeSteps(
  runId: number,
  { phases }: EventSpec,
  transaction: Transaction,
): Promise<void> {
  const steps = phases.flatMap(({ key: phase, steps: of }, phaseIndex) =>
    of.map(({ maxAttempts, ...step }, index) => ({
      ...step,
      phase,
      phaseIndex,
      seq: index + 1,
      actionVersion: findAction(step.actionId)?.version ?? 0,
      maxAttempts,
      triesAllowed: maxAttempts,
    })),
  );
  await countChanged(transaction, statement, [runId, JSON.stringify(steps)]);
}
