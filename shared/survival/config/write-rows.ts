import type { Transaction } from "sequelize";

import type {
  ConfigWriteState,
  SurvivalConfigWrite,
} from "../../../models/survival/survival-config-write.ts";
import type { Context } from "../../context.ts";
import { countChanged, type Database, firstRow, rows } from "../../db/rows.ts";
import { missing } from "../../errors.ts";
import { limits } from "../../limits.ts";

/** One past its time is lost from then on, before any job has noted it. */
const stateNow = `case when write.state = 'reloading' and write.settle_by < clock_timestamp()
  then 'lost' else write.state end`;

/** A write as staff see it. */
export interface ConfigWriteView extends Pick<
  SurvivalConfigWrite,
  | "writeId"
  | "serverId"
  | "plugin"
  | "file"
  | "state"
  | "outcome"
  | "createdAt"
  | "settleBy"
  | "settledAt"
  | "beforeHash"
  | "writtenHash"
  | "afterHash"
  | "message"
  | "logTail"
  | "rollbackOf"
  | "lateOutcome"
> {
  readonly createdBy: string | null;
}

const viewed = `write.write_id as "writeId", write.server_id as "serverId", write.plugin, write.file,
  ${stateNow} as state, write.outcome, write.created_at as "createdAt",
  author.username as "createdBy", write.settle_by as "settleBy", write.settled_at as "settledAt",
  write.before_hash as "beforeHash", write.written_hash as "writtenHash",
  write.after_hash as "afterHash", write.message, write.log_tail as "logTail",
  write.rollback_of as "rollbackOf", write.late_outcome as "lateOutcome"`;

const ofServer = `from survival_config_writes write
  left join users author on author.id = write.created_by where write.server_id = $1`;

/** @throws AppError missing, also for a write of another server */
export async function readWrite(
  serverId: number,
  writeId: string,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<ConfigWriteView> {
  const text = `select ${viewed} ${ofServer} and write.write_id = $2`;
  const found = await firstRow<ConfigWriteView>(sequelize, text, [serverId, writeId]);
  if (!found) throw missing("Unknown write");
  return found;
}

export interface WritesQuery {
  readonly plugin?: string;
  readonly before?: number;
  readonly limit: number;
}

/**
 * The writes of a server's configurations, the latest first.
 *
 * @openapi
 * components:
 *   schemas:
 *     SurvivalConfigWrites:
 *       type: object
 *       additionalProperties: false
 *       required: [writes]
 *       properties:
 *         writes: { type: array, items: { $ref: '#/components/schemas/SurvivalConfigWrite' } }
 *         next:
 *           type: integer
 *           description: What the next page is asked for with as `before`; absent at the end.
 *           example: 411
 *     SurvivalConfigWrite:
 *       type: object
 *       additionalProperties: false
 *       required:
 *         [writeId, serverId, plugin, file, state, outcome, createdAt, createdBy, settleBy, settledAt,
 *          beforeHash, writtenHash, afterHash, message, logTail, rollbackOf, lateOutcome]
 *       properties:
 *         writeId: { type: string, format: uuid }
 *         serverId: { type: integer, example: 3 }
 *         plugin: { type: string, example: Kits }
 *         file: { type: string, example: oxide/config/Kits.json }
 *         state:
 *           type: string
 *           enum: [reloading, settled, lost]
 *           description: >
 *             `settled` by what the plugin told of it; `lost` for good where it told nothing until
 *             `settleBy`, so that nobody knows whether it was done.
 *         outcome:
 *           type: string
 *           nullable: true
 *           enum: [ok, failed, rolled-back, null]
 *           description: Of a settled one. After `rolled-back` the file is as it was before.
 *         createdAt: { type: string, format: date-time }
 *         createdBy: { type: string, nullable: true, example: robin }
 *         settleBy: { type: string, format: date-time }
 *         settledAt: { type: string, format: date-time, nullable: true }
 *         beforeHash: { type: string, description: Of the file before. }
 *         writtenHash: { type: string, description: Of what was written. }
 *         afterHash:
 *           type: string
 *           nullable: true
 *           description: >
 *             Of the file afterwards, the `baseHash` of the next change: a plugin that loads its
 *             configuration often writes it anew.
 *         message: { type: string, nullable: true, example: Plugin could not be loaded }
 *         logTail:
 *           type: array
 *           items: { type: string }
 *           description: The last lines of the console, secrets covered.
 *           example: [Loaded plugin Kits v4.0.12]
 *         rollbackOf: { type: string, format: uuid, nullable: true }
 *         lateOutcome:
 *           type: object
 *           nullable: true
 *           additionalProperties: false
 *           description: What the plugin told after the write was lost; it stays lost.
 *           required: [ok, at, message, logTail]
 *           properties:
 *             ok: { type: boolean }
 *             at: { type: string, format: date-time }
 *             message: { type: string, nullable: true }
 *             logTail: { type: array, items: { type: string } }
 */
export async function readWrites(
  serverId: number,
  { plugin, before, limit }: WritesQuery,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<{ writes: ConfigWriteView[]; next?: number }> {
  const found = await rows<ConfigWriteView & { readonly id: number }>(
    sequelize,
    `select write.id, ${viewed} ${ofServer}
       and ($2::bigint is null or write.id < $2) and ($3::text is null or write.plugin = $3)
     order by write.id desc limit $4`,
    [serverId, before, plugin, limit + 1],
  );
  const page = found.slice(0, limit).map(({ id, ...write }) => ({ id, write }));
  const next = found.length > limit ? page.at(-1)?.id : undefined;
  return { writes: page.map(({ write }) => write), ...(next && { next }) };
}

/** What is answered when a write was asked for. */
export interface AcceptedWrite {
  readonly writeId: string;
  readonly state: ConfigWriteState;
  readonly settleBy: Date;
}

/** The write that an equal request made, which must have asked for the same. */
export const findAccepted = (writeId: string, database: Database) =>
  firstRow<AcceptedWrite & { readonly requestHash: string }>(
    database,
    `select write_id as "writeId", ${stateNow} as state, settle_by as "settleBy",
       request_hash as "requestHash"
     from survival_config_writes write where write_id = $1`,
    [writeId],
  );

export type NewWrite = Pick<
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

/** @returns when it counts as lost; undefined where it exists, or another of the file is pending */
export async function insertWrite(
  write: NewWrite,
  settleMs: number,
  transaction: Transaction,
): Promise<Date | undefined> {
  const inserted = await firstRow<{ settleBy: Date }>(transaction, insert, [
    write.writeId,
    write.serverId,
    write.plugin,
    write.file,
    write.createdBy,
    write.beforeHash,
    write.writtenHash,
    write.rollbackOf,
    write.requestHash,
    write.beforeSealed,
    write.secretsSealed,
    settleMs,
  ]);
  if (inserted) await countChanged(transaction, forget, [write.serverId, limits.configsKept]);
  return inserted?.settleBy;
}

const insert = `
  insert into survival_config_writes (write_id, server_id, plugin, file, created_by, before_hash,
    written_hash, rollback_of, request_hash, before_sealed, secrets_sealed, settle_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
    clock_timestamp() + $12::integer * interval '1 millisecond')
  on conflict do nothing
  returning settle_by as "settleBy"`;

/** What stood in files before is kept for the newest writes alone. */
const forget = `
  update survival_config_writes set before_sealed = null
  where server_id = $1 and before_sealed is not null and id <= (
    select id from survival_config_writes where server_id = $1 order by id desc offset $2 limit 1)`;

/** Gives up the writes whose time has passed, and says so in the ledger. @returns how many */
export const loseOverdue = (database: Database): Promise<number> => countChanged(database, lose);

const lose = `
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
