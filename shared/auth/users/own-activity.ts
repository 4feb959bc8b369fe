import type { Transaction } from "sequelize";

import type { SignInClient } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";

export interface OwnActivity {
  readonly userId: number;
  readonly action: string;
  readonly client: SignInClient;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Records a user's action on their own account in the activity log. */
export const recordOwnActivity = (
  { userId, action, client, detail }: OwnActivity,
  transaction: Transaction,
): Promise<void> =>
  recordActivity(
    {
      actorId: userId,
      action,
      target: { type: "user", id: userId },
      address: client.address,
      detail,
    },
    transaction,
  );
