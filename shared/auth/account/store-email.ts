import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { orderMail } from "../mail/order-mail.ts";
import { emailKey } from "../rules/emails.ts";
import type { UserRow } from "../users/users.ts";

/**
 * Gives a locked user another address. Reset links that went to the former address stop working, and
 * the former address is told.
 */
export async function storeEmail(
  { id: userId, email: former }: Pick<UserRow, "id" | "email">,
  email: string | null,
  transaction: Transaction,
  context: Context,
): Promise<void> {
  const { User, PasswordReset } = modelsOf(transaction);
  await User.change(userId, { email, emailKey: email && emailKey(email) }, transaction);
  await PasswordReset.endAllOf(userId, transaction);
  if (former === null) return;
  const order = { letter: "emailChanged", userId, email: former } as const;
  await orderMail(order, transaction, context);
}
