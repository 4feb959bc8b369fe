import type { Transaction } from "sequelize";

import type { Identity } from "../../models/auth/identity.ts";
import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { conflict, missing } from "../errors.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./client.ts";
import { recordOwn } from "./own-activity.ts";
import { reauthenticate, type Reauthentication } from "./reauthentication.ts";
import type { UserRow } from "./users.ts";

/** The user's accounts at sign-in providers, in the order they were linked. */
export const listIdentities = (userId: number, { models }: Context): Promise<Identity[]> =>
  models.Identity.findAll({ where: { userId }, order: ["linkedAt", "id"] });

/** @throws AppError missing */
export async function findIdentity(
  userId: number,
  providerId: string,
  { models }: Context,
): Promise<Identity> {
  const identity = await models.Identity.findOne({ where: { userId, providerId } });
  if (!identity) throw missing();
  return identity;
}

export interface Unlinking {
  readonly caller: Caller;
  readonly client: Client;
  readonly given: Reauthentication;
  readonly identity: Identity;
}

/** @throws AppError conflict when the user could not sign in any more */
export function unlinkIdentity(unlinking: Unlinking, context: Context): Promise<void> {
  const { caller, client, given, identity } = unlinking;
  const { userId } = caller;
  const act = async ({ passwordHash }: UserRow, transaction: Transaction) => {
    const { rowCount } = await sqlOf(transaction).query(
      `delete from identities where id = $1
         and ($2 or exists (select from identities other where other.user_id = $3
                            and other.id <> $1))`,
      [identity.id, passwordHash !== null, userId],
    );
    if (!rowCount) throw conflict("Set a password first: this is the last way to sign in");
    const detail = { provider: identity.providerId };
    await recordOwn({ userId, action: "auth.sso.unlinked", client, detail }, transaction);
  };
  return reauthenticate({ caller, client, given, act }, context);
}
