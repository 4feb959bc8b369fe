import { isDeepStrictEqual } from "node:util";

import type { CreationAttributes, Transaction } from "sequelize";

import { clockNow } from "../../../../models/queries/clock.ts";
import type { SurvivalNpcProfile } from "../../../../models/survival/npcs/survival-npc-profile.ts";
import type { SurvivalNpcState } from "../../../../models/survival/npcs/survival-npc-state.ts";
import type { BridgeError } from "../../../platform/bridge/bridge-error.ts";
import type { StorageBounds } from "../../../platform/config/survival-bounds.ts";
import { executeStatement } from "../../../platform/db/rows.ts";
import { modelsOf } from "../../../platform/db/transaction.ts";
import { isPossiblyDelivered } from "../../calls/call-rules.ts";
import type { ProfilesAnswer } from "../../calls/npc-calls.ts";
import { cleanDocument } from "../../plain-texts.ts";
import { recordOmission } from "../../storage/omissions.ts";
import { lockStoredCount } from "../../storage/quota.ts";
import type { PendingChanges, ProfileToSend } from "./pending-changes.ts";

export interface NpcSync {
  readonly serverId: number;
  /** The reference in the ledger entries of this sync. */
  readonly ref: string;
  /** Time of the sync, taken before its data is read. */
  readonly sentAt: Date;
}

type Profiles = NonNullable<PendingChanges["profiles"]>;

interface RecordContext {
  readonly transaction: Transaction;
  readonly bounds: StorageBounds;
}

/** Maximum length in characters of a document from a game. Longer documents are not stored. */
const longestDocument = 65_536;

/** Stores which profiles the server has now, and the documents that they replaced. */
export async function recordProfiles(
  sending: NpcSync,
  { sent, removed, factions }: Profiles,
  { replaced, rejected }: ProfilesAnswer,
  { transaction, bounds }: RecordContext,
): Promise<void> {
  const { serverId, sentAt } = sending;
  const reasonOf = new Map(rejected.map(({ key, reason }) => [key, reason]));
  for (const profile of sent) {
    const error = reasonOf.get(profile.key) ?? null;
    await recordAttempt(sending, profile, { error, isThere: error === null }, transaction);
  }
  const { SurvivalNpcPush: Push } = modelsOf(transaction);
  await Push.destroy({ where: { serverId, key: [...removed] }, transaction });
  const idOf = new Map(sent.map(({ key, id }) => [key, id]));
  const written = replaced.flatMap(({ key, document }) => {
    const profileId = idOf.get(key);
    return profileId === undefined ? [] : [{ profileId, document }];
  });
  if (written.length > 0) await storeReplacedDocuments(written, serverId, { transaction, bounds });
  const told = { factionsSentAt: sentAt, factionsHash: factions.hash };
  await recordSent({ serverId, ...told }, transaction);
}

/** Records a failed attempt. If there was no answer, the profiles may have arrived. */
export async function recordNpcSyncFailure(
  sending: NpcSync,
  { sent }: Profiles,
  error: BridgeError,
  transaction: Transaction,
): Promise<void> {
  const isThere = isPossiblyDelivered(error);
  if (error.code === "SHARD_DOWN" && !isThere) return;
  for (const profile of sent) {
    await recordAttempt(sending, profile, { error: error.reason, isThere }, transaction);
  }
}

export async function recordPlacements(
  sending: NpcSync,
  hash: string,
  transaction: Transaction,
): Promise<void> {
  const { serverId, sentAt } = sending;
  const told = { placementsSentAt: sentAt, placementsHash: hash };
  await recordSent({ serverId, ...told }, transaction);
}

interface AttemptRecord {
  /** The error of the attempt; null if it succeeded. */
  readonly error: string | null;
  readonly isThere: boolean;
}

const recordAttempt = (
  { serverId, sentAt }: NpcSync,
  { id, key, revision }: ProfileToSend,
  { error, isThere }: AttemptRecord,
  transaction: Transaction,
): Promise<unknown> =>
  executeStatement(transaction, storeTry, [serverId, key, id, revision, error, isThere, sentAt]);

/** A failed attempt leaves the profile of an earlier attempt on the server. */
const storeTry = `
  insert into survival_npc_pushes as known
    (server_id, key, profile_id, revision, state, error, is_there, sent_at)
  values ($1, $2, $3, $4, case when $5::text is null then 'pushed' else 'failed' end, $5, $6, $7)
  on conflict (server_id, key) do update
  set profile_id = excluded.profile_id, revision = excluded.revision, state = excluded.state,
    error = excluded.error, is_there = known.is_there or excluded.is_there,
    sent_at = excluded.sent_at`;

interface ReplacedDocument {
  readonly profileId: SurvivalNpcProfile["id"];
  readonly document: object;
}

/** Stores documents that were changed in the game, up to the server's limit. */
async function storeReplacedDocuments(
  written: readonly ReplacedDocument[],
  serverId: number,
  { transaction, bounds }: RecordContext,
): Promise<void> {
  const { SurvivalNpcRevision: Revision } = modelsOf(transaction);
  await lockStoredCount(serverId, "npcRevisions", transaction);
  let kept = await Revision.count({ where: { serverId, origin: "server" }, transaction });
  let leftOut = 0;
  for (const replaced of written) {
    const outcome = await storeReplacedDocument(replaced, serverId, {
      hasRoom: kept < bounds.npcRevisions,
      transaction,
    });
    if (outcome === "kept") kept += 1;
    if (outcome === "left out") leftOut += 1;
  }
  await executeStatement(transaction, storeRevisionCount, [serverId, kept]);
  await recordOmission({ serverId, name: "npcRevisions", count: leftOut }, bounds, transaction);
}

const storeRevisionCount =
  "update survival_storage set kept = $2 where server_id = $1 and part = 'npcRevisions'";

/**
 * Stores a document with plain texts.
 * @returns `passed over` if the document is already stored or its profile no longer exists
 */
async function storeReplacedDocument(
  { profileId, document: given }: ReplacedDocument,
  serverId: number,
  { hasRoom, transaction }: { readonly hasRoom: boolean; readonly transaction: Transaction },
): Promise<"kept" | "left out" | "passed over"> {
  const { key: _, ...told } = given as Record<string, unknown>;
  if (JSON.stringify(told).length > longestDocument) return "left out";
  const document = cleanDocument(told);
  const { SurvivalNpcProfile: Profile, SurvivalNpcRevision: Revision } = modelsOf(transaction);
  const lock = transaction.LOCK.UPDATE;
  const profile = await Profile.findByPk(profileId, { transaction, lock });
  if (!profile) return "passed over";
  const where = { profileId, serverId, origin: "server" } as const;
  const kept = await Revision.findAll({ where, attributes: ["document"], transaction });
  if (kept.some((one) => isDeepStrictEqual(one.document, document))) return "passed over";
  if (!hasRoom) return "left out";
  const revision = profile.lastRevision + 1;
  await profile.update({ lastRevision: revision }, { transaction });
  await Revision.create(
    { ...where, revision, document, updatedAt: null, updatedBy: null },
    { transaction },
  );
  return "kept";
}

type SentState = Pick<SurvivalNpcState, "serverId"> & Partial<CreationAttributes<SurvivalNpcState>>;

/** A new row gets the oldest possible hello time, so that the data counts as sent after the hello. */
async function recordSent(sent: SentState, transaction: Transaction): Promise<void> {
  await modelsOf(transaction).SurvivalNpcServer.upsert(
    { saidHelloAt: new Date(0), ...sent },
    { fields: Object.keys(sent) as (keyof SentState)[], transaction },
  );
}

export async function confirmLedgerEntry(
  { serverId, ref }: NpcSync,
  what: "npc" | "placement",
  transaction: Transaction,
): Promise<void> {
  await modelsOf(transaction).SurvivalLedgerEntry.update(
    { state: "confirmed", confirmedAt: clockNow() },
    { where: { serverId, what, ref, state: "pushed" }, transaction },
  );
}
