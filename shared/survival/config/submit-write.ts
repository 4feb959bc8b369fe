import { createHash, randomUUID } from "node:crypto";

import type { Transaction } from "sequelize";

import { clockNow } from "../../../models/queries/clock.ts";
import { beginActivity, recordActivityOutcome } from "../../platform/activity/activity.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Context } from "../../platform/context.ts";
import { sealText } from "../../platform/crypto/sealed.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, notFoundError } from "../../platform/errors/errors.ts";
import { toCommandActor, type CommandRequest } from "../../shard/staff/commands.ts";
import { isPossiblyDelivered } from "../calls/call-rules.ts";
import { writeConfigCall } from "../calls/config-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { lockServerShared } from "../server-locks.ts";
import { previousContentSealContext, sealSecrets, readPreviousContents } from "./config-seals.ts";
import { configHash, type ConfigRequest, type ConfigFile, readConfigFile } from "./plugin-files.ts";
import {
  type AcceptedConfigWrite,
  findAcceptedWrite,
  insertConfigWrite,
  markOverdueWritesLost,
} from "./write-rows.ts";

/** The identity of a write request. Requests with the same idempotency key are the same write. */
interface WriteRequest {
  readonly writeId: string;
  readonly hash: string;
  readonly isKeyed: boolean;
}

export interface ConfigWriteSubmission {
  readonly of: ConfigRequest;
  readonly current: ConfigFile;
  readonly text: string;
  readonly reload: boolean;
  readonly rollbackOf: string | null;
  readonly request: WriteRequest;
}

export function createWriteRequest(
  asked: readonly unknown[],
  { idempotencyKey }: Pick<CommandRequest, "idempotencyKey">,
): WriteRequest {
  const hash = createHash("sha256").update(JSON.stringify(asked)).digest("hex");
  if (idempotencyKey === undefined) return { writeId: randomUUID(), hash, isKeyed: false };
  return { writeId: uuidFrom(idempotencyKey), hash, isKeyed: true };
}

/** Makes a UUID of version 8, whose bits are free to choose, from a hash. */
const uuidFrom = (hash: string): string =>
  hash.replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/,
    (_all, ...[a, b, c, d, e]: string[]) => `${a}-${b}-8${c}-8${d}-${e}`,
  );

/** Returns the write of a repeated request. @throws AppError idempotency_conflict if contents differ */
export async function findRepeatedWrite(
  { writeId, hash, isKeyed }: WriteRequest,
  { models }: Pick<Context, "models">,
): Promise<AcceptedConfigWrite | undefined> {
  const found = isKeyed ? await findAcceptedWrite(writeId, models) : null;
  if (!found) return undefined;
  const { requestHash, ...accepted } = found;
  if (requestHash === hash) return accepted;
  throw new AppError(
    "idempotency_conflict",
    "The idempotency key was used for another configuration write",
  );
}

export const changedFileError = (currentHash: string): AppError =>
  new AppError("stale_revision", "The file has changed since you read it: read it again", {
    extra: { currentHash },
  });

/**
 * Stores a write and sends it. The row is stored first, because the outcome may arrive before the answer
 * and this process may end in between. A write that the game server refuses is removed again.
 * @throws AppError if nothing was written
 */
export async function submitConfigWrite(
  submission: ConfigWriteSubmission,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<AcceptedConfigWrite> {
  const entered = await storeWrite(submission, order, context);
  if ("repeated" in entered) return entered.repeated;
  try {
    await sendWrite(submission, order, context);
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    // The server may have written the file, so keep the write. The outcome or the deadline will end it.
    if (!isPossiblyDelivered(error)) {
      await removeWrite(submission, entered.lineId, error, context);
      throw await toClientError(error, submission, context);
    }
  }
  const { writeId } = submission.request;
  return inCallersTransaction(context.sequelize, async (transaction) => {
    await recordActivityOutcome(entered.lineId, { outcome: "sent" }, transaction);
    const stands = await findAcceptedWrite(writeId, modelsOf(transaction), transaction);
    const { state = "lost", settleBy = entered.settleBy } = stands ?? {};
    return { writeId, state, settleBy };
  });
}

type EnterResult =
  | { readonly lineId: number; readonly settleBy: Date }
  | { readonly repeated: AcceptedConfigWrite };

async function storeWrite(
  submission: ConfigWriteSubmission,
  { caller, address }: CommandRequest,
  context: SurvivalContext,
): Promise<EnterResult> {
  const { current, rollbackOf, request } = submission;
  const entered = await inCallersTransaction(context.sequelize, async (transaction) => {
    const { writeId } = request;
    const serverId = submission.of.server.id;
    if (!(await lockServerShared(serverId, transaction))) throw notFoundError("Unknown server");
    const settleBy = await insert(submission, caller.userId, transaction, context);
    if (!settleBy) return undefined;
    await modelsOf(transaction).SurvivalLedgerEntry.create(
      { serverId, what: "config", ref: writeId, state: "pushed" },
      { transaction },
    );
    await context.queue.enqueue(
      "survival.settle-writes",
      {},
      { startAfter: settleBy, within: transaction },
    );
    const lineId = await beginActivity(
      {
        actor: caller,
        action: rollbackOf === null ? "survival.config.written" : "survival.config.rolled_back",
        target: { type: "survivalConfig", id: writeId },
        address,
        detail: { serverId, plugin: current.plugin, ...(rollbackOf !== null && { rollbackOf }) },
      },
      transaction,
    );
    return { lineId, settleBy };
  });
  if (entered) return entered;
  const repeated = await findRepeatedWrite(request, context);
  if (repeated) return { repeated };
  throw configWriteStateError(
    "The result of another write of this file is still pending",
    current.hash,
  );
}

export const configWriteStateError = (message: string, currentHash?: string): AppError =>
  new AppError("config_write_state", message, {
    extra: { ...(currentHash !== undefined && { currentHash }) },
  });

async function insert(
  { of, current, text, rollbackOf, request: { writeId, hash } }: ConfigWriteSubmission,
  createdBy: number,
  transaction: Transaction,
  { config: { SECRETS_KEYS: keys, SURVIVAL_SETTLE } }: SurvivalContext,
): Promise<Date | undefined> {
  await markOverdueWritesLost(transaction);
  const former = await readPreviousContents(of.server.id, current.plugin, { keys, transaction });
  const write = {
    writeId,
    serverId: of.server.id,
    plugin: current.plugin,
    file: current.file,
    createdBy,
    beforeHash: current.hash,
    writtenHash: configHash(text),
    rollbackOf,
    requestHash: hash,
    beforeSealed: sealText(current.text, previousContentSealContext(writeId), keys),
    secretsSealed: sealSecrets(writeId, { before: current.text, written: text, former }, keys),
  };
  return insertConfigWrite(write, SURVIVAL_SETTLE, transaction);
}

async function sendWrite(
  { of, current, text, reload, request: { writeId } }: ConfigWriteSubmission,
  { caller, requestId }: CommandRequest,
  { survival }: SurvivalContext,
): Promise<void> {
  const order = { actor: toCommandActor(caller), requestId, idempotencyKey: writeId };
  const body = { writeId, text, baseHash: current.hash, reload, rollbackOnFailure: true };
  const params = { plugin: current.plugin };
  await survival.call(of.server.id, (control) =>
    control.command(writeConfigCall, order, { params, body }),
  );
}

/** Removes a write that the game server refused. Its entries in the ledger and the activity log stay. */
const removeWrite = (
  { of, request: { writeId } }: ConfigWriteSubmission,
  lineId: number,
  { code }: BridgeError,
  { sequelize }: Context,
): Promise<void> =>
  inCallersTransaction(sequelize, async (transaction) => {
    const { SurvivalConfigWrite, SurvivalLedgerEntry } = modelsOf(transaction);
    // Keep a write if the plugin has reported an outcome, because the file was written.
    if (await SurvivalConfigWrite.deleteUnsettled(writeId, transaction)) {
      await SurvivalLedgerEntry.update(
        { state: "failed", reason: code, endedAt: clockNow() },
        { where: { serverId: of.server.id, what: "config", ref: writeId }, transaction },
      );
    }
    await recordActivityOutcome(lineId, { outcome: code }, transaction);
  });

async function toClientError(
  error: BridgeError,
  { of, current }: ConfigWriteSubmission,
  context: SurvivalContext,
): Promise<AppError> {
  if (error.code === "PROTECTED") {
    return new AppError("protected_target", "The game server protects this file");
  }
  if (error.code !== "CONFLICT") return error;
  // The file was changed after the client read it, so return its current hash.
  const { hash } = await readConfigFile(current.plugin, of, context);
  return changedFileError(hash);
}
