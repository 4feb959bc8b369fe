import type { Transaction } from "sequelize";

import type { Client } from "./client.ts";
import { recordOwn } from "./own-activity.ts";
import { type SignInRefusal, wrongCredentials } from "./refusals.ts";
import { lockUser, type UserRow } from "./users.ts";

/** A proven identity: the read the proof was checked against, and what was proved. */
export interface SignIn {
  readonly user: UserRow;
  /** Methods as RFC 8176 names them, such as `pwd` and `otp`. */
  readonly amr: readonly string[];
  readonly via: "web" | "mobile";
  readonly client: Client;
}

/**
 * Locks the user and makes sure that the proof still holds: whoever was disabled or cut off since
 * it was checked gets in by no route.
 * @param refusal the words of the route
 */
export async function admit(
  { id, issuedAt }: Pick<UserRow, "id" | "issuedAt">,
  transaction: Transaction,
  refusal: () => SignInRefusal = wrongCredentials,
): Promise<UserRow> {
  const current = await lockUser(id, transaction);
  if (!current || current.disabledAt || issuedAt <= current.tokensValidAfter) throw refusal();
  return { ...current, issuedAt };
}

/** The one tail of every sign-in; what the client needs is minted in the same transaction. */
export async function completeLogin(signIn: SignIn, transaction: Transaction): Promise<UserRow> {
  const { user, amr, via, client } = signIn;
  const current = await admit(user, transaction);
  const action = "auth.login.success";
  await recordOwn({ userId: user.id, action, client, detail: { amr, via } }, transaction);
  return current;
}
