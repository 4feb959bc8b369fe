import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { takeTransactionLock } from "../../platform/db/lock.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import type { ShardContext } from "../context.ts";
import { checkVisibilityUpdate } from "../visibility/visibility-update.ts";
import {
  readVisibilityOverrides,
  visibilityConfig,
  type VisibilityConfig,
  writeVisibilityOverrides,
} from "../visibility/visibility.ts";

export const readVisibilityConfig = async ({ models }: Context): Promise<VisibilityConfig> =>
  visibilityConfig(await readVisibilityOverrides(models));

/** Merges an update into the stored settings. @throws AppError naming each fault; then nothing is changed */
export async function saveVisibility(
  update: { readonly features: object },
  caller: Caller,
  { sequelize, models, visibility }: ShardContext,
): Promise<VisibilityConfig> {
  const saved = await inCallersTransaction(sequelize, async (transaction) => {
    // The lock serializes concurrent updates, so that neither is lost.
    await takeTransactionLock("visibility", transaction);
    const stored = await readVisibilityOverrides(models, transaction);
    requireBaseRevision(visibilityConfig(stored).revision);
    const overrides = checkVisibilityUpdate(update, stored);
    await writeVisibilityOverrides(models, overrides, transaction);
    await recordActivity(
      { actor: caller, action: "visibility.updated", detail: update },
      transaction,
    );
    return overrides;
  });
  await visibility.refresh();
  return visibilityConfig(saved);
}
