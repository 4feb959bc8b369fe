import type { Transaction } from "sequelize";

import { recordActivity } from "../site/activity.ts";
import type { Client } from "./client.ts";

export interface OwnActivity {
  readonly userId: number;
  readonly action: string;
  readonly client: Client;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The line of the log for what a user does to their own account. */
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
