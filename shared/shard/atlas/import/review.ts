import { recordActivity } from "../../../activity/activity.ts";
import type { Caller } from "../../../auth/caller/caller.ts";
import type { Context } from "../../../context.ts";
import { inTransaction } from "../../../db/transaction.ts";
import { missing } from "../../../errors.ts";
import {
  type AtlasResult,
  blankAtlasResult,
  nothingPending,
} from "../../../imports/results/atlas.ts";
import { type AskedImport, askImport } from "../../../imports/runs/ask-import.ts";
import type { PendingAtlas } from "./state.ts";

/** Has the refresh that waits applied, its loss included; there is nothing to run when none waits. */
export async function approvePendingAtlas(caller: Caller, context: Context): Promise<AskedImport> {
  const { pendingStatus } = await context.models.AtlasState.read();
  if (pendingStatus !== "pending") return { refused: nothingPending };
  return askImport("atlas", { approve: true }, caller, context);
}

/**
 * Rejects the refresh that waits; the source is not asked about again until it changes.
 * @throws AppError 404 when none waits
 */
export function rejectPendingAtlas(
  caller: Caller,
  { sequelize, models }: Context,
): Promise<AtlasResult> {
  return inTransaction(sequelize, async (transaction) => {
    const rejected = await models.AtlasState.rejectOnce(transaction);
    if (!rejected) throw missing("Nothing awaits review");
    const { source, path, counts, addedFacets, removedFacets } = rejected as PendingAtlas;
    const action = "import.atlas.rejected";
    await recordActivity({ actor: caller, action, detail: { removedFacets } }, transaction);
    const refresh = { source, path, counts, addedFacets, removedFacets };
    return { ...blankAtlasResult, ...refresh, status: "rejected" };
  });
}
