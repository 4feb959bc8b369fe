import { col, Op, type Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { clockAfter } from "../../../models/queries/clock.ts";
import { insertOnce } from "../../../models/queries/insert-once.ts";
import { computed, type PlainRow, plainRows } from "../../../models/queries/plain-rows.ts";
import {
  type ConfigWriteState,
  SurvivalConfigWrite,
} from "../../../models/survival/survival-config-write.ts";
import type { Context } from "../../platform/context.ts";
import { countChanged, type Database } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { missing } from "../../platform/errors/errors.ts";
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

const beside = {
  state: SurvivalConfigWrite.stateNow,
  createdBy: computed<string | null>(col("author.username")),
};

/** A write as staff see it. */
export type ConfigWriteView = PlainRow<
  SurvivalConfigWrite,
  (typeof columns)[number],
  typeof beside
>;

const author = () => [{ association: "author", attributes: [] }];

/** @throws AppError missing, also for a write of another server */
export async function readWrite(
  serverId: number,
  writeId: string,
  { models }: Pick<Context, "models">,
): Promise<ConfigWriteView> {
  const [found] = await plainRows(models.SurvivalConfigWrite, {
    columns,
    computed: beside,
    include: author(),
    where: { serverId, writeId },
  });
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
 *           description: 'Cursor for the next page: send it as `before`. Absent on the last page.'
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
 *           description: >-
 *             State of the write. `reloading`: the write was sent, and the game server has not
 *             reported the outcome yet. `settled`: the game server has reported the outcome.
 *             `lost`: the game server had reported no outcome by the time in `settleBy`, so the
 *             file may or may not have been written. A lost write stays lost.
 *         outcome:
 *           type: string
 *           nullable: true
 *           enum: [ok, failed, rolled-back, null]
 *           description: >-
 *             Outcome of the write. `ok`: the write succeeded. `rolled-back`: the plugin did not
 *             load the new file, and the game server restored the old file. `failed`: the write
 *             failed, and the game server did not restore the old file. Null unless `state` is
 *             `settled`.
 *         createdAt: { type: string, format: date-time }
 *         createdBy: { type: string, nullable: true, example: robin }
 *         settleBy:
 *           type: string
 *           format: date-time
 *           description: >-
 *             Time at which the write becomes `lost` if the game server has reported no outcome by
 *             then.
 *         settledAt: { type: string, format: date-time, nullable: true }
 *         beforeHash: { type: string, description: Hash of the file before the write. }
 *         writtenHash: { type: string, description: Hash of the file as it was written. }
 *         afterHash:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Hash of the file after the plugin was reloaded. Send it as `baseHash` of the next
 *             change. It may differ from `writtenHash`, because many plugins rewrite their file
 *             when they load it. Null if there is no outcome.
 *         message:
 *           type: string
 *           nullable: true
 *           example: Plugin could not be loaded
 *           description: >-
 *             Message of the game server about the outcome, with secrets masked. Null if there is
 *             none.
 *         logTail:
 *           type: array
 *           items: { type: string }
 *           description: Last lines of the server's console, at most 200, with secrets masked.
 *           example: [Loaded plugin Kits v4.0.12]
 *         rollbackOf:
 *           type: string
 *           format: uuid
 *           nullable: true
 *           description: >-
 *             Id of the write that this write rolls back. Null if this write is not a rollback.
 *         lateOutcome:
 *           type: object
 *           nullable: true
 *           additionalProperties: false
 *           description: >-
 *             Outcome that the game server reported after the write had become `lost`. Null if it
 *             reported none.
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
  { models }: Pick<Context, "models">,
): Promise<{ writes: ConfigWriteView[]; next?: number }> {
  const found = await plainRows(models.SurvivalConfigWrite, {
    columns: ["id", ...columns],
    computed: beside,
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

/** What is answered when a write was asked for. */
export interface AcceptedWrite {
  readonly writeId: string;
  readonly state: ConfigWriteState;
  readonly settleBy: Date;
}

type Accepted = AcceptedWrite & Pick<SurvivalConfigWrite, "requestHash">;

/** The write that an equal request made, which must have asked for the same. */
export async function findAccepted(
  writeId: string,
  { SurvivalConfigWrite: Write }: Pick<Models, "SurvivalConfigWrite">,
  transaction?: Transaction,
): Promise<Accepted | null> {
  const [found] = await plainRows(Write, {
    columns: ["writeId", "settleBy", "requestHash"],
    computed: { state: Write.stateNow },
    where: { writeId },
    ...(transaction && { transaction }),
  });
  return found ?? null;
}

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
  const row = { ...write, settleBy: clockAfter(settleMs) };
  const inserted = await insertOnce(modelsOf(transaction).SurvivalConfigWrite, row, transaction);
  if (inserted) await countChanged(transaction, forget, [write.serverId, limits.configsKept]);
  return inserted?.settleBy;
}

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
