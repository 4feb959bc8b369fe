import { Op, type Transaction } from "sequelize";

import type { AuthProvider } from "../../../models/auth/auth-provider.ts";
import type { SsoTransaction } from "../../../models/auth/sso-transaction.ts";
import { insertRowOnce } from "../../../models/queries/insert-once.ts";
import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import type { ProviderIdentity } from "../providers/id-tokens.ts";
import { isStillEnabled } from "../providers/providers.ts";
import { AuthorizedUser, basisOfCredential } from "../sessions/authorized-user.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { enqueueNoticeMail } from "../users/order-mail.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import { lockUser } from "../users/users.ts";
import { type SsoRedirect, siteUrl } from "./redirects.ts";
import { storeSsoStart, type SsoStart } from "./transactions.ts";

export interface LinkRequest {
  readonly caller: Caller;
  /** Prepares the request to the provider. */
  readonly depart: () => Promise<SsoRequest>;
}

interface SsoRequest extends Omit<SsoStart, "purpose"> {
  readonly redirectTo: string;
}

/**
 * Begins to link an identity to the caller. The request is prepared before the lock, but a failure is
 * reported only under the lock: an earlier answer would reveal that a used code is correct.
 * @returns the URL for the browser
 */
export async function beginLink(
  { caller, depart }: LinkRequest,
  context: Context,
): Promise<string> {
  const purpose = { mode: "link", userId: caller.userId } as const;
  const departure = depart();
  await Promise.allSettled([departure]);
  return inCallersTransaction(context.sequelize, async (transaction) => {
    await lockCaller(caller, transaction, context);
    const { redirectTo, ...beginning } = await departure;
    await storeSsoStart({ ...beginning, purpose }, context, transaction);
    return redirectTo;
  });
}

export interface LinkCallback {
  readonly begun: SsoTransaction;
  readonly provider: AuthProvider;
  readonly proven: ProviderIdentity;
  /** The user who is signed in to this browser now. */
  readonly caller: Caller | null;
  readonly client: SignInClient;
}

type LinkRefusal = "sso_wrong_session" | "sso_already_linked";

/** Links the proven identity if the user who began the link is still signed in to this browser. */
export async function linkIdentity(
  linkCallback: LinkCallback,
  context: Context,
): Promise<SsoRedirect> {
  const { begun, caller } = linkCallback;
  const fault =
    caller?.userId === begun.userId
      ? await linkLocked({ ...linkCallback, caller }, context)
      : "sso_wrong_session";
  const query = fault === null ? { linked: begun.providerId } : { error: fault };
  return { location: siteUrl(context.config, "/account", query) };
}

/**
 * Links the identity.
 * @returns the reason if it is refused
 * @throws AppError missing if the provider was disabled
 */
function linkLocked(
  { provider, proven, caller, client }: LinkCallback & { readonly caller: Caller },
  context: Context,
): Promise<LinkRefusal | null> {
  const { userId } = caller;
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const user = await lockUser(userId, transaction);
    const authorized =
      user && (await AuthorizedUser.authorize(basisOfCredential(caller), user, context));
    if (!authorized) return "sso_wrong_session";
    if (!(await isStillEnabled(provider.id, transaction))) throw notFoundError();
    const outcome = await insertOrReplace({ userId, provider, proven }, transaction, context);
    const isOwn = outcome === "linked" || outcome === "linked before";
    const action = isOwn ? "auth.sso.linked" : "auth.sso.refused";
    const detail = { provider: provider.id, ...(!isOwn && { reason: "sso_already_linked" }) };
    if (outcome !== "linked before") {
      await recordOwnActivity({ userId, action, client, detail }, transaction);
    }
    if (outcome === "linked") {
      await enqueueNoticeMail(userId, "identityLinked", transaction, context);
    }
    return isOwn ? null : "sso_already_linked";
  });
}

interface IdentityLink {
  readonly userId: number;
  readonly provider: AuthProvider;
  readonly proven: ProviderIdentity;
}

type LinkResult = "linked" | "linked before" | "taken";

/** Links an identity; replaces the user's identity of a former issuer, which is no longer valid. */
async function insertOrReplace(
  identityLink: IdentityLink,
  transaction: Transaction,
  context: Context,
): Promise<LinkResult> {
  const outcome = await insertIdentity(identityLink, transaction, context);
  if (outcome !== "taken") return outcome;
  const { Identity } = context.models;
  const { userId, proven } = identityLink;
  const { providerId, issuer } = proven;
  if ((await Identity.count({ where: { ...proven }, transaction })) > 0) return outcome;
  const where = { userId, providerId, issuer: { [Op.ne]: issuer } };
  const former = await Identity.destroy({ where, transaction });
  return former > 0 ? insertIdentity(identityLink, transaction, context) : outcome;
}

/** Links an identity unless it is linked already or the user has another one at the provider. */
async function insertIdentity(
  { userId, provider, proven }: IdentityLink,
  transaction: Transaction,
  { models: { Identity } }: Context,
): Promise<LinkResult> {
  const row = { userId, providerName: provider.name, ...proven };
  if (await insertRowOnce(Identity, row, transaction)) return "linked";
  const own = await Identity.count({ where: { userId, ...proven }, transaction });
  return own > 0 ? "linked before" : "taken";
}
