import type { Transaction } from "sequelize";

import type { Client } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";

export interface OwnActivity {
  readonly userId: number;
  readonly action: string;
  readonly client: Client;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Records in the activity log what a user did to their own account. */
export const recordOwn = (
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
