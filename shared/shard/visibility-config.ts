import type { Caller } from "../auth/caller.ts";
import type { Context } from "../context.ts";
import { lockForTransaction } from "../db/lock.ts";
import { inTransaction } from "../db/transaction.ts";
import { recordActivity } from "../site/activity.ts";
import { readVisibilityOverrides, writeVisibilityOverrides } from "./visibility-store.ts";
import { checkVisibilityUpdate } from "./visibility-update.ts";
import { visibilityConfig, type VisibilityConfig } from "./visibility.ts";

export const readVisibilityConfig = async ({ sequelize }: Context): Promise<VisibilityConfig> =>
  visibilityConfig(await readVisibilityOverrides(sequelize));

/** Lays an update over what is stored, all or nothing. @throws AppError naming each fault */
export async function saveVisibility(
  update: { readonly features: object },
  caller: Caller,
  { sequelize, visibility }: Context,
): Promise<VisibilityConfig> {
  const saved = await inTransaction(sequelize, async (transaction) => {
    // Two admins who save at once each lay their change over the other's.
    await lockForTransaction("visibility", transaction);
    const stored = await readVisibilityOverrides(sequelize, transaction);
    const overrides = checkVisibilityUpdate(update, stored);
    await writeVisibilityOverrides(sequelize, overrides, transaction);
    await recordActivity(
      { actorId: caller.userId, action: "visibility.updated", detail: update },
      transaction,
    );
    return overrides;
  });
  await visibility.reload();
  return visibilityConfig(saved);
}
