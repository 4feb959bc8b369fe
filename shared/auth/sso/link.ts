import { Op, type Transaction } from "sequelize";

import type { AuthProvider } from "../../../models/auth/auth-provider.ts";
import type { SsoTransaction } from "../../../models/auth/sso-transaction.ts";
import { insertOnce } from "../../../models/queries/insert-once.ts";
import type { Caller, Client } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { missing } from "../../platform/errors/errors.ts";
import type { ProviderIdentity } from "../providers/identities.ts";
import { isStillEnabled } from "../providers/providers.ts";
import { Admission, groundsOf } from "../sessions/admission.ts";
import { lockCaller } from "../sessions/own-account.ts";
import { tellUser } from "../users/order-mail.ts";
import { recordOwn } from "../users/own-activity.ts";
import { lockUser } from "../users/users.ts";
import { type Landing, sitePage } from "./landings.ts";
import { begin, type Beginning } from "./transactions.ts";

export interface LinkRequest {
  readonly caller: Caller;
  /** Asks the provider. */
  readonly depart: () => Promise<Departure>;
}

interface Departure extends Omit<Beginning, "purpose"> {
  readonly redirectTo: string;
}

/**
 * Begins to link an identity to the caller. The provider is asked before the lock, but its failure is
 * reported under the lock: an earlier answer would reveal that a used code is correct.
 * @returns the URL for the browser
 */
export async function beginLink(
  { caller, depart }: LinkRequest,
  context: Context,
): Promise<string> {
  const purpose = { mode: "link", userId: caller.userId } as const;
  const departure = depart();
  await Promise.allSettled([departure]);
  return inTransaction(context.sequelize, async (transaction) => {
    await lockCaller(caller, transaction, context);
    const { redirectTo, ...beginning } = await departure;
    await begin({ ...beginning, purpose }, context, transaction);
    return redirectTo;
  });
}

export interface LinkReturn {
  readonly begun: SsoTransaction;
  readonly provider: AuthProvider;
  readonly proven: ProviderIdentity;
  /** The user who is signed in to this browser now. */
  readonly caller: Caller | null;
  readonly client: Client;
}

type LinkFault = "sso_wrong_session" | "sso_already_linked";

/** Links the proven identity if the user who began the link is still signed in to this browser. */
export async function linkIdentity(back: LinkReturn, context: Context): Promise<Landing> {
  const { begun, caller } = back;
  const fault =
    caller?.userId === begun.userId
      ? await link({ ...back, caller }, context)
      : "sso_wrong_session";
  const query = fault === null ? { linked: begun.providerId } : { error: fault };
  return { location: sitePage(context.config, "/account", query) };
}

/** @returns null or why it was not linked @throws AppError missing if the provider was disabled */
function link(
  { provider, proven, caller, client }: LinkReturn & { readonly caller: Caller },
  context: Context,
): Promise<LinkFault | null> {
  const { userId } = caller;
  return inTransaction(context.sequelize, async (transaction) => {
    const user = await lockUser(userId, transaction);
    const admission = user && (await Admission.grant(groundsOf(caller), user, context));
    if (!admission) return "sso_wrong_session";
    if (!(await isStillEnabled(provider.id, transaction))) throw missing();
    const outcome = await insertOrReplace({ userId, provider, proven }, transaction, context);
    const isOwn = outcome === "linked" || outcome === "linked before";
    const action = isOwn ? "auth.sso.linked" : "auth.sso.refused";
    const detail = { provider: provider.id, ...(!isOwn && { reason: "sso_already_linked" }) };
    if (outcome !== "linked before") {
      await recordOwn({ userId, action, client, detail }, transaction);
    }
    if (outcome === "linked") await tellUser(userId, "identityLinked", transaction, context);
    return isOwn ? null : "sso_already_linked";
  });
}

interface Link {
  readonly userId: number;
  readonly provider: AuthProvider;
  readonly proven: ProviderIdentity;
}

type Outcome = "linked" | "linked before" | "taken";

/** Replaces the user's identity of a former issuer, which is no longer valid. */
async function insertOrReplace(
  wanted: Link,
  transaction: Transaction,
  context: Context,
): Promise<Outcome> {
  const outcome = await insert(wanted, transaction, context);
  if (outcome !== "taken") return outcome;
  const { Identity } = context.models;
  const { userId, proven } = wanted;
  const { providerId, issuer } = proven;
  if ((await Identity.count({ where: { ...proven }, transaction })) > 0) return outcome;
  const where = { userId, providerId, issuer: { [Op.ne]: issuer } };
  const former = await Identity.destroy({ where, transaction });
  return former > 0 ? insert(wanted, transaction, context) : outcome;
}

/** Skips an identity that is already linked, and a second identity at one provider. */
async function insert(
  { userId, provider, proven }: Link,
  transaction: Transaction,
  { models: { Identity } }: Context,
): Promise<Outcome> {
  const row = { userId, providerName: provider.name, ...proven };
  if (await insertOnce(Identity, row, transaction)) return "linked";
  const own = await Identity.count({ where: { userId, ...proven }, transaction });
  return own > 0 ? "linked before" : "taken";
}
