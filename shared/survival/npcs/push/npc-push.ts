import type { Sequelize, Transaction } from "sequelize";

import type { LedgerWhat } from "../../../../models/survival/survival-ledger-entry.ts";
import { BridgeError } from "../../../platform/bridge/bridge-error.ts";
import type { Bounds } from "../../../platform/config/survival-bounds.ts";
import { readClock } from "../../../platform/db/clock.ts";
import { poolOf } from "../../../platform/db/transaction.ts";
import { setNpcPlacements, setNpcProfiles } from "../../calls/npc-calls.ts";
import type { PreparedPush, PushKind } from "../../pushes/push-kind.ts";
import { holdUnderWay, whileUnderWay } from "../../pushes/settle-push.ts";
import { type Due, readDue } from "./due.ts";
import { confirm, keepFailure, keepPlacements, keepProfiles, type Sending } from "./keep.ts";

/** Pushes a server's missing NPC data. @param chosen profiles to send even if the server has them */
export const npcPushOf = (chosen: readonly number[]): PushKind => ({
  capability: "npc",
  prepare: async ({ serverId, ref, config }, transaction): Promise<PreparedPush | null> => {
    const sentAt = await readClock(transaction);
    const due = await readDue(serverId, chosen, transaction);
    const enters: LedgerWhat[] = [];
    if (due.profiles) enters.push("npc");
    if (due.placements) enters.push("placement");
    if (enters.length === 0) return null;
    const sending = { serverId, ref, sentAt };
    const site = { sequelize: poolOf(transaction), bounds: config.SURVIVAL_BOUNDS };
    return { enters, send: senderOf(due, sending, site) };
  },
});

export const npcPush = npcPushOf([]);

interface Site {
  readonly sequelize: Sequelize;
  readonly bounds: Bounds;
}

/**
 * Sends profiles before the placements that name them. Each part is recorded when it has arrived. If
 * another push has replaced this one meanwhile, nothing more is recorded or sent.
 */
const senderOf =
  (due: Due, sending: Sending, { sequelize, bounds }: Site): PreparedPush["send"] =>
  async (control, order) => {
    const { profiles, placements } = due;
    const keep = keeperOf(sending, sequelize);
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
        const answer = await control.command(setNpcProfiles, order, { body });
        const isKept = await keep(
          (transaction) => keepProfiles(sending, profiles, answer, { transaction, bounds }),
          "npc",
        );
        if (!isKept) return {};
      } catch (error) {
        if (!(error instanceof BridgeError)) throw error;
        await keep((within) => keepFailure(sending, profiles, error, within));
        throw error;
      }
    }
    if (placements) {
      const key = { ...order, idempotencyKey: `${sending.ref}:placements` };
      const body = { placements: placements.list };
      await control.command(setNpcPlacements, key, { body });
      await keep((within) => keepPlacements(sending, placements.hash, within), "placement");
    }
    return {};
  };

/**
 * Records the result of a part and confirms it. A confirmed part stays, even if the rest of the push
 * fails.
 * @returns false without recording if another push has replaced this one
 */
const keeperOf =
  (sending: Sending, sequelize: Sequelize) =>
  (
    work: (transaction: Transaction) => Promise<void>,
    done?: "npc" | "placement",
  ): Promise<boolean> =>
    whileUnderWay(sending.serverId, sequelize, async (transaction, requireUnderWay) => {
      await work(transaction);
      requireUnderWay(await holdUnderWay(sending, transaction));
      if (done) await confirm(sending, done, transaction);
    });
