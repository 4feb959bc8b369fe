import type { Transaction } from "sequelize";

import type { Identity } from "../../../models/auth/identity.ts";
import type { SsoTransaction } from "../../../models/auth/sso-transaction.ts";
import type { SignInClient } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { recordLogin } from "../login/authorize-login.ts";
import { type ChallengeAnswer, completeChallenge } from "../login/complete-challenge.ts";
import type { ProviderIdentity } from "../providers/id-tokens.ts";
import { isStillEnabled } from "../providers/providers.ts";
import { wrongCodeError } from "../rules/sign-in-errors.ts";
import { openChallenge, readChallenge } from "../second-factor/challenges.ts";
import { checkTrustedDevice, type TrustToken } from "../second-factor/trusted-devices.ts";
import { AuthorizedUser, basisOfProof } from "../sessions/authorized-user.ts";
import { mintSession, type SessionToken } from "../sessions/sessions.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import { lockUser, type UserRow } from "../users/users.ts";
import { mintMobileCode } from "./mobile-codes.ts";
import { appUrl, type SsoRedirect, siteUrl } from "./redirects.ts";
import { appRequestOf, type AppRequest } from "./transactions.ts";

/** A callback from a provider that has proven an identity. */
export interface VerifiedCallback {
  readonly begun: SsoTransaction;
  readonly proven: ProviderIdentity;
  readonly client: SignInClient;
}

/**
 * Signs in with a linked identity. It creates no account and compares no email addresses. A disabled user
 * gets the same answer as an unknown one.
 * @throws AppError missing if the provider was disabled meanwhile
 */
export function signInByIdentity(
  ssoCallback: VerifiedCallback,
  context: Context,
): Promise<SsoRedirect> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const admitted = await authorizeIdentity(ssoCallback.proven, transaction, context);
    if (!(await isStillEnabled(ssoCallback.proven.providerId, transaction))) throw notFoundError();
    if (!admitted) return refuseUnlinked(ssoCallback, transaction, context);
    return completeOrChallenge({ ...ssoCallback, ...admitted }, context);
  });
}

interface AuthorizedIdentity {
  readonly identity: Identity;
  readonly admission: AuthorizedUser;
}

async function authorizeIdentity(
  { providerId, issuer, subject }: ProviderIdentity,
  transaction: Transaction,
  context: Context,
): Promise<AuthorizedIdentity | null> {
  const { Identity } = context.models;
  const where = { providerId, issuer, subject };
  const found = await Identity.findOne({ where, transaction });
  const user = found && (await lockUser(found.userId, transaction));
  // Read the identity again under the lock: it may have been unlinked.
  const identity = user && (await Identity.findOne({ where, transaction }));
  if (!identity || identity.userId !== user.id) return null;
  const authorized = await AuthorizedUser.authorize(basisOfProof(user), user, context);
  return authorized && { identity, admission: authorized };
}

async function completeOrChallenge(
  { begun, client, identity, admission }: VerifiedCallback & AuthorizedIdentity,
  context: Context,
): Promise<SsoRedirect> {
  const { config } = context;
  const { user } = admission;
  const app = appRequestOf(begun);
  // Trust no device for the app, which keeps its session by refreshing tokens.
  const isTrusted =
    user.totpEnabled && !app && (await checkTrustedDevice(admission, client, context));
  if (user.totpEnabled && !isTrusted) {
    const origin = { identityId: identity.id, ssoTransactionId: begun.id };
    const challenge = await openChallenge("sso_totp", admission, context, origin);
    return { location: challengePage(begun, context), challenge };
  }
  const amr = isTrusted ? ["sso", "trusted_device"] : ["sso"];
  await recordSignIn(admission, identity.providerId, client);
  if (app) {
    return {
      location: await mintMobileCode(admission, { app, identityId: identity.id, amr }, context),
    };
  }
  await recordLogin(admission, { amr, via: "web", client });
  const session = await mintSession(admission, { amr }, config);
  return { location: siteUrl(config, begun.returnTo), session };
}

/** The page that asks for the code; `returnTo` is the path to open afterward. */
const challengePage = ({ returnTo }: SsoTransaction, { config }: Context): string =>
  siteUrl(config, "/login", { sso: "totp", ...(returnTo !== "/" && { returnTo }) });

const recordSignIn = (
  { user, transaction }: AuthorizedUser,
  provider: string,
  client: SignInClient,
): Promise<void> =>
  recordOwnActivity(
    { userId: user.id, action: "auth.sso.login", client, detail: { provider } },
    transaction,
  );

async function refuseUnlinked(
  { begun, client }: VerifiedCallback,
  transaction: Transaction,
  { config }: Context,
): Promise<SsoRedirect> {
  const { address } = client;
  const detail = { provider: begun.providerId, reason: "sso_not_linked" };
  await recordActivity({ actorId: null, action: "auth.sso.refused", address, detail }, transaction);
  const app = appRequestOf(begun);
  if (app) return { location: appUrl(app, { error: "access_denied" }) };
  return { location: siteUrl(config, "/login", { error: "sso_not_linked" }) };
}

/** A completed sign-in with a second factor: a web session, or a redirect to the app. */
type SsoSignIn =
  | {
      readonly user: UserRow;
      readonly session: SessionToken;
      readonly trust: TrustToken | null;
    }
  | { readonly redirectTo: string };

/** Completes the challenge of a sign-in at a provider. @throws SignInRefusal */
export async function completeSsoChallenge(
  challenge: string | undefined,
  answer: ChallengeAnswer,
  client: SignInClient,
  context: Context,
): Promise<SsoSignIn> {
  const origin = await findOrigin(challenge, context);
  const { app, provider, identityId } = origin;
  const mint = async (authorized: AuthorizedUser, amr: readonly string[]) => {
    if (!(await isStillEnabled(provider, authorized.transaction))) throw wrongCodeError();
    await recordSignIn(authorized, provider, client);
    if (app) return mintMobileCode(authorized, { app, identityId, amr }, context);
    await recordLogin(authorized, { amr, via: "web", client });
    return mintSession(authorized, { amr }, context.config);
  };
  // The sign-in belongs to the app, so the browser must not become a trusted device.
  const trusts = app === null && answer.trustDevice;
  const use = { kind: "sso_totp", challenge, client, mint } as const;
  const done = await completeChallenge(
    { ...use, answer: { ...answer, trustDevice: trusts } },
    context,
  );
  const { user, minted, trust } = done;
  return typeof minted === "string" ? { redirectTo: minted } : { user, session: minted, trust };
}

interface ChallengeOrigin {
  readonly app: AppRequest | null;
  readonly provider: string;
  readonly identityId: number;
}

/** @throws SignInRefusal if the challenge is invalid or its provider is disabled */
async function findOrigin(
  challenge: string | undefined,
  context: Context,
): Promise<ChallengeOrigin> {
  const claims = await readChallenge("sso_totp", challenge ?? "", context);
  const row =
    claims &&
    (await context.models.AuthChallenge.findByPk(claims.tokenId, {
      include: ["ssoTransaction", { association: "identity", include: ["provider"] }],
    }));
  const { ssoTransaction, identity } = row ?? {};
  if (!ssoTransaction || !identity?.provider?.enabled) throw wrongCodeError();
  return {
    app: appRequestOf(ssoTransaction),
    provider: identity.providerId,
    identityId: identity.id,
  };
}
