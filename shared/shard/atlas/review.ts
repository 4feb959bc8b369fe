import type { Caller } from "../../auth/caller.ts";
import type { Context } from "../../context.ts";
import { sqlOf } from "../../db/sql.ts";
import { inTransaction } from "../../db/transaction.ts";
import { missing } from "../../errors.ts";
import { type AskedImport, askImport } from "../../imports/ask-import.ts";
import { recordActivity } from "../../site/activity.ts";
import { type AtlasResult, blankAtlasResult, nothingPending } from "./result.ts";
import { type PendingAtlas, readAtlasState } from "./state.ts";

/** Has the refresh that waits applied, its loss included; there is nothing to run when none waits. */
export async function approvePendingAtlas(caller: Caller, context: Context): Promise<AskedImport> {
  const { pendingStatus } = await readAtlasState(context.sequelize);
  if (pendingStatus !== "pending") return { refused: nothingPending };
  return askImport("atlas", { approve: true }, caller, context);
}

/**
 * Rejects the refresh that waits; the source is not asked about again until it changes.
 * @throws AppError 404 when none waits
 */
export function rejectPendingAtlas(caller: Caller, { sequelize }: Context): Promise<AtlasResult> {
  return inTransaction(sequelize, async (transaction) => {
    const { rows } = await sqlOf(transaction).query<{ pending: PendingAtlas }>(
      `update atlas_state set pending_status = 'rejected' where pending_status = 'pending'
       returning pending`,
    );
    if (!rows[0]) throw missing("Nothing awaits review");
    const { source, path, counts, addedFacets, removedFacets } = rows[0].pending;
    const line = {
      actorId: caller.userId,
      action: "import.atlas.rejected",
      detail: { removedFacets },
    };
    await recordActivity(line, transaction);
    const refresh = { source, path, counts, addedFacets, removedFacets };
    return { ...blankAtlasResult, ...refresh, status: "rejected" };
  });
}
