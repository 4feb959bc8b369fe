import type { GameAccountLink } from "../../../models/shard/game-account-link.ts";
import { rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { accountKey } from "../owners/link-mirror.ts";
import type { PayloadFields } from "../visibility/view.ts";

/** Returns the account key in a field of a payload; null if there is none. */
export function readPayloadAccountKey(payload: PayloadFields, field: string): string | null {
  const account = payload[field];
  return typeof account === "string" && account !== "" ? accountKey(account) : null;
}

/** Returns the users who own the linked game accounts, by account key. */
export async function readAccountOwners(
  accounts: readonly string[],
  connection: SqlClient,
): Promise<ReadonlyMap<string, number>> {
  if (accounts.length === 0) return new Map();
  const owners = await rows<Pick<GameAccountLink, "accountKey" | "userId">>(
    connection,
    selectOwners,
    [accounts],
  );
  return new Map(owners.map(({ accountKey: account, userId }) => [account, userId]));
}

const selectOwners = {
  name: "owners of accounts",
  text: `select account_key as "accountKey", user_id as "userId" from shard_links
    where account_key = any($1)`,
};
