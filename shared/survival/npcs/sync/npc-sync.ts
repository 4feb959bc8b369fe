import type { Sequelize, Transaction } from "sequelize";

import type { LedgerObjectType } from "../../../../models/survival/survival-ledger-entry.ts";
import { BridgeError } from "../../../platform/bridge/bridge-error.ts";
import type { StorageBounds } from "../../../platform/config/survival-bounds.ts";
import { readClock } from "../../../platform/db/clock.ts";
import { poolOf } from "../../../platform/db/transaction.ts";
import { setNpcPlacementsCall, setNpcProfilesCall } from "../../calls/npc-calls.ts";
import { lockRunningSync, recordSyncResult } from "../../sync/settle-sync.ts";
import type { PreparedSync, SyncKind } from "../../sync/sync-kind.ts";
import { type PendingChanges, readPendingChanges } from "./pending-changes.ts";
import {
  confirmLedgerEntry,
  recordNpcSyncFailure,
  recordPlacements,
  recordProfiles,
  type NpcSync,
} from "./record-results.ts";

/** Sends NPC data that a server lacks. @param chosen profiles to send even if the server has them */
export const createNpcSync = (chosen: readonly number[]): SyncKind => ({
  capability: "npc",
  prepare: async ({ serverId, ref, config }, transaction): Promise<PreparedSync | null> => {
    const sentAt = await readClock(transaction);
    const due = await readPendingChanges(serverId, chosen, transaction);
    const enters: LedgerObjectType[] = [];
    if (due.profiles) enters.push("npc");
    if (due.placements) enters.push("placement");
    if (enters.length === 0) return null;
    const sending = { serverId, ref, sentAt };
    const site = { sequelize: poolOf(transaction), bounds: config.SURVIVAL_BOUNDS };
    return { enters, send: createSender(due, sending, site) };
  },
});

export const npcSync = createNpcSync([]);

interface SyncContext {
  readonly sequelize: Sequelize;
  readonly bounds: StorageBounds;
}

/**
 * Sends profiles before the placements that name them, and records each list as soon as the server has accepted
 * it. If another sync replaces this one, nothing more is recorded or sent.
 */
const createSender =
  (
    due: PendingChanges,
    sending: NpcSync,
    { sequelize, bounds }: SyncContext,
  ): PreparedSync["send"] =>
  async (control, order) => {
    const { profiles, placements } = due;
    const keep = createRecorder(sending, sequelize);
    if (profiles) {
      const { sent, removed, factions } = profiles;
      const revision = Math.max(0, ...sent.map((profile) => profile.revision));
      const body = {
        revision,
        profiles: sent.map(({ key, document }) => ({ ...document, key })),
        factions: factions.list,
        remove: removed,
      };
      try {
        const answer = await control.command(setNpcProfilesCall, order, { body });
        const isKept = await keep(
          (transaction) => recordProfiles(sending, profiles, answer, { transaction, bounds }),
          "npc",
        );
        if (!isKept) return {};
      } catch (error) {
        if (!(error instanceof BridgeError)) throw error;
        await keep((within) => recordNpcSyncFailure(sending, profiles, error, within));
        throw error;
      }
    }
    if (placements) {
      const key = { ...order, idempotencyKey: `${sending.ref}:placements` };
      const body = { placements: placements.list };
      await control.command(setNpcPlacementsCall, key, { body });
      await keep((within) => recordPlacements(sending, placements.hash, within), "placement");
    }
    return {};
  };

/**
 * Records the result of one command and confirms its ledger entry. The record stays, even if the rest of the sync
 * fails.
 * @returns false without recording if another sync has replaced this one
 */
const createRecorder =
  (sending: NpcSync, sequelize: Sequelize) =>
  (
    work: (transaction: Transaction) => Promise<void>,
    done?: "npc" | "placement",
  ): Promise<boolean> =>
    recordSyncResult(sending.serverId, sequelize, async (transaction, requireUnderWay) => {
      await work(transaction);
      requireUnderWay(await lockRunningSync(sending, transaction));
      if (done) await confirmLedgerEntry(sending, done, transaction);
    });
