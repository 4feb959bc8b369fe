import type { SsoTransaction } from "../../../models/auth/sso-transaction.ts";
import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { Admission, groundsOf } from "../sessions/admission.ts";
import { lockUser } from "../users/users.ts";
import { type Landing, sitePage } from "./landings.ts";
import { begin, type Beginning, purposeOf } from "./transactions.ts";

/** CATALOGUE of errors of providers that say nothing of the person: a second try may succeed. */
const passingErrors = ["temporarily_unavailable", "login_required"];

/** Whether a sign-in that came back with an error is begun again, which happens once. */
export const mayBeginAgain = (begun: SsoTransaction, error: string): boolean =>
  !begun.isRetry && passingErrors.includes(error);

export interface Retry {
  readonly begun: SsoTransaction;
  /** Who is signed in in this browser now. */
  readonly caller: Caller | null;
  readonly departure: Omit<Beginning, "purpose"> & { readonly redirectTo: string };
}

/**
 * Sends the browser to the provider again, for the same purpose and within the same time. A link is
 * begun again for the user alone who is still signed in: it must not outlive the end of their sessions.
 */
export function beginAgain(
  { begun, caller, departure }: Retry,
  context: Context,
): Promise<Landing> {
  const { redirectTo: location, ...beginning } = departure;
  const { userId } = begun;
  return inTransaction(context.sequelize, async (transaction) => {
    const user = userId === null ? null : await lockUser(userId, transaction);
    const isTheirs = user && caller?.userId === userId;
    const isAdmitted = isTheirs && (await Admission.grant(groundsOf(caller), user, context));
    if (userId !== null && !isAdmitted) {
      return { location: sitePage(context.config, "/account", { error: "sso_wrong_session" }) };
    }
    const purpose = purposeOf(begun);
    await begin({ ...beginning, purpose, former: begun }, context, transaction);
    return { location };
  });
}
