import {
  type AtlasResult,
  blankAtlasResult,
  nothingPendingResult,
} from "../../../imports/results/atlas.ts";
import { type ImportRequestResult, requestImport } from "../../../imports/runs/request-import.ts";
import type { Caller } from "../../../platform/access/caller.ts";
import { recordActivity } from "../../../platform/activity/activity.ts";
import { requireBaseRevision, readBaseRevision } from "../../../platform/base-revision.ts";
import type { Context } from "../../../platform/context.ts";
import { inCallersTransaction } from "../../../platform/db/transaction.ts";
import { notFoundError } from "../../../platform/errors/errors.ts";
import type { ShardContext } from "../../context.ts";
import { type PendingAtlas, pendingRevision } from "./state.ts";

/** Applies the pending refresh with its losses if it is still the one that the caller has read. */
export async function approvePendingAtlas(
  caller: Caller,
  context: ShardContext,
): Promise<ImportRequestResult> {
  const basedOn = readBaseRevision();
  const state = await context.models.AtlasState.read();
  if (state.pendingStatus !== "pending") return { refused: nothingPendingResult };
  requireBaseRevision(pendingRevision(state) ?? "");
  const flags = { approve: true, ...(typeof basedOn === "string" && { basedOn }) };
  return requestImport("atlas", flags, caller, context);
}

/** Rejects the pending refresh; the source is reviewed again when it changes. @throws AppError 404 */
export function rejectPendingAtlas(
  caller: Caller,
  { sequelize, models }: Context,
): Promise<AtlasResult> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const lock = transaction.LOCK.UPDATE;
    const waiting = await models.AtlasState.read({ transaction, lock });
    if (waiting.pendingStatus === "pending") requireBaseRevision(pendingRevision(waiting) ?? "");
    else readBaseRevision();
    const rejected = await models.AtlasState.rejectOnce(transaction);
    if (!rejected) throw notFoundError("No import waits for review");
    const { source, path, counts, addedFacets, removedFacets } = rejected as PendingAtlas;
    const action = "import.atlas.rejected";
    await recordActivity({ actor: caller, action, detail: { removedFacets } }, transaction);
    const refresh = { source, path, counts, addedFacets, removedFacets };
    return { ...blankAtlasResult, ...refresh, status: "rejected" };
  });
}
