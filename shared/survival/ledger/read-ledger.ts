import { Op } from "sequelize";

import type {
  LedgerState,
  LedgerWhat,
  SurvivalLedgerEntry,
} from "../../../models/survival/survival-ledger-entry.ts";
import type { Context } from "../../platform/context.ts";

export interface LedgerSearch {
  readonly server?: number;
  readonly what?: LedgerWhat;
  readonly state?: LedgerState;
  /** Entries older than this one. */
  readonly before?: number;
  readonly limit: number;
}

/** What the site changed in the worlds of the game servers, the latest first. */
export async function readLedger(
  { server, what, state, before, limit }: LedgerSearch,
  { models }: Pick<Context, "models">,
): Promise<{ ledger: SurvivalLedgerEntry[]; next?: number }> {
  const found = await models.SurvivalLedgerEntry.findAll({
    where: {
      ...(server !== undefined && { serverId: server }),
      ...(what !== undefined && { what }),
      ...(state !== undefined && { state }),
      ...(before !== undefined && { id: { [Op.lt]: before } }),
    },
    order: [["id", "DESC"]],
    limit: limit + 1,
    raw: true,
  });
  const ledger = found.slice(0, limit);
  const next = found.length > limit ? ledger.at(-1)?.id : undefined;
  return { ledger, ...(next !== undefined && { next }) };
}
