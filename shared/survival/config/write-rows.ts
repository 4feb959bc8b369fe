import { col, Op, type Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { clockNowPlus } from "../../../models/queries/clock.ts";
import { insertRowOnce } from "../../../models/queries/insert-once.ts";
import { computeColumn, type PlainRow, readPlainRows } from "../../../models/queries/plain-rows.ts";
import {
  type ConfigWriteState,
  SurvivalConfigWrite,
} from "../../../models/survival/survival-config-write.ts";
import type { Context } from "../../platform/context.ts";
import { executeStatement, type Database } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";

const columns = [
  "writeId",
  "serverId",
  "plugin",
  "file",
  "outcome",
  "createdAt",
  "settleBy",
  "settledAt",
  "beforeHash",
  "writtenHash",
  "afterHash",
  "message",
  "logTail",
  "rollbackOf",
  "lateOutcome",
] as const satisfies readonly (keyof SurvivalConfigWrite)[];

const computedColumns = {
  state: SurvivalConfigWrite.stateNow,
  createdBy: computeColumn<string | null>(col("author.username")),
};

/** A write as staff see it. */
export type ConfigWriteView = PlainRow<
  SurvivalConfigWrite,
  (typeof columns)[number],
  typeof computedColumns
>;

const author = () => [{ association: "author", attributes: [] }];

/** Reads a write. @throws AppError missing, also for a write of another server */
export async function readConfigWrite(
  serverId: number,
  writeId: string,
  { models }: Pick<Context, "models">,
): Promise<ConfigWriteView> {
  const [found] = await readPlainRows(models.SurvivalConfigWrite, {
    columns,
    computed: computedColumns,
    include: author(),
    where: { serverId, writeId },
  });
  if (!found) throw notFoundError("Unknown write");
  return found;
}

export interface ConfigWritesQuery {
  readonly plugin?: string;
  readonly before?: number;
  readonly limit: number;
}

/** Reads the configuration writes of a server, newest first. */
export async function readConfigWrites(
  serverId: number,
  { plugin, before, limit }: ConfigWritesQuery,
  { models }: Pick<Context, "models">,
): Promise<{ writes: ConfigWriteView[]; next?: number }> {
  const found = await readPlainRows(models.SurvivalConfigWrite, {
    columns: ["id", ...columns],
    computed: computedColumns,
    include: author(),
    where: {
      serverId,
      ...(before !== undefined && { id: { [Op.lt]: before } }),
      ...(plugin !== undefined && { plugin }),
    },
    order: [["id", "DESC"]],
    limit: limit + 1,
  });
  const page = found.slice(0, limit).map(({ id, ...write }) => ({ id, write }));
  const next = found.length > limit ? page.at(-1)?.id : undefined;
  return { writes: page.map(({ write }) => write), ...(next && { next }) };
}

/** The answer to a write request. */
export interface AcceptedConfigWrite {
  readonly writeId: string;
  readonly state: ConfigWriteState;
  readonly settleBy: Date;
}

type AcceptedWriteRow = AcceptedConfigWrite & Pick<SurvivalConfigWrite, "requestHash">;

/** Returns a write and the hash of its request, to compare it with a repeated request. */
export async function findAcceptedWrite(
  writeId: string,
  { SurvivalConfigWrite: Write }: Pick<Models, "SurvivalConfigWrite">,
  transaction?: Transaction,
): Promise<AcceptedWriteRow | null> {
  const [found] = await readPlainRows(Write, {
    columns: ["writeId", "settleBy", "requestHash"],
    computed: { state: Write.stateNow },
    where: { writeId },
    ...(transaction && { transaction }),
  });
  return found ?? null;
}

export type NewConfigWrite = Pick<
  SurvivalConfigWrite,
  | "writeId"
  | "serverId"
  | "plugin"
  | "file"
  | "createdBy"
  | "beforeHash"
  | "writtenHash"
  | "rollbackOf"
  | "requestHash"
  | "beforeSealed"
  | "secretsSealed"
>;

/**
 * Stores a write.
 * @returns the deadline; undefined if the write exists or another write of the file is pending
 */
export async function insertConfigWrite(
  write: NewConfigWrite,
  settleMs: number,
  transaction: Transaction,
): Promise<Date | undefined> {
  const row = { ...write, settleBy: clockNowPlus(settleMs) };
  const inserted = await insertRowOnce(modelsOf(transaction).SurvivalConfigWrite, row, transaction);
  if (inserted) {
    await executeStatement(transaction, clearOldContents, [write.serverId, limits.configsKept]);
  }
  return inserted?.settleBy;
}

/** Keeps the previous texts of the newest writes only. */
const clearOldContents = `
  update survival_config_writes set before_sealed = null
  where server_id = $1 and before_sealed is not null and id <= (
    select id from survival_config_writes where server_id = $1 order by id desc offset $2 limit 1)`;

/** Marks writes past their deadline as lost, also in the ledger. @returns their number */
export const markOverdueWritesLost = (database: Database): Promise<number> =>
  executeStatement(database, markLost);

const markLost = `
  with overdue as (
    update survival_config_writes set state = 'lost'
    where state = 'reloading' and settle_by < clock_timestamp()
    returning server_id, write_id
  )
  update survival_ledger
  set state = 'lost', reason = 'timeout', ended_at = clock_timestamp()
  from overdue
  where survival_ledger.server_id = overdue.server_id and what = 'config'
    and ref = overdue.write_id and state = 'pushed'`;
