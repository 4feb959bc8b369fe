import { timingSafeEqual } from "node:crypto";

import type { MobileSsoCode } from "../../../models/auth/mobile-sso-code.ts";
import { clockAfter } from "../../../models/queries/clock.ts";
import type { Client } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, newToken } from "../../platform/crypto/tokens.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { completeLogin } from "../login/complete-login.ts";
import { isStillEnabled } from "../providers/providers.ts";
import { SignInRefusal } from "../rules/refusals.ts";
import { Admission, groundsOfProof } from "../sessions/admission.ts";
import { type MobileSignedIn, openFamily } from "../sessions/mobile-tokens.ts";
import { revokeFamily } from "../sessions/revocation.ts";
import { lockUser } from "../users/users.ts";
import { appPage } from "./landings.ts";
import { codeChallengeOf, type AppRequest } from "./transactions.ts";

export interface AppSignIn {
  readonly app: AppRequest;
  readonly identityId: number;
  readonly amr: readonly string[];
}

/** Ends the app's sign-in with a code. @returns the app's redirect URI with the code */
export async function mintMobileCode(
  { user, transaction }: Admission,
  { app, identityId, amr }: AppSignIn,
  { config, models }: Context,
): Promise<string> {
  const code = newToken();
  await models.MobileSsoCode.create(
    {
      codeHash: hashToken(code),
      userId: user.id,
      identityId,
      codeChallenge: app.codeChallenge,
      amr: [...amr],
      generation: user.generation,
      issuedAt: user.readAt,
      expiresAt: clockAfter(config.MOBILE_CODE_TTL),
      consumedAt: null,
      familyId: null,
    },
    { transaction },
  );
  return appPage(app, { code });
}

export interface Exchange {
  readonly code: string;
  /** The secret whose hash the app sent at the start. */
  readonly codeVerifier: string;
  readonly deviceName: string | null;
}

/**
 * Exchanges the app's code for tokens. The verifier is checked first, so that another person cannot use
 * the code up. A code that is used twice was stolen, so its session ends.
 * @throws SignInRefusal with the same message for all failures
 */
export async function exchangeCode(
  exchange: Exchange,
  client: Client,
  context: Context,
): Promise<MobileSignedIn> {
  const codeHash = hashToken(exchange.code);
  const found = await context.models.MobileSsoCode.findByPk(codeHash);
  if (!found || !isProven(exchange, found)) throw invalidGrant();
  const signedIn = await use({ ...exchange, found, client }, context);
  if (!signedIn) throw invalidGrant();
  return signedIn;
}

const invalidGrant = () => new SignInRefusal("token", "invalid_grant", "invalid_grant");

/** The form of a verifier (RFC 7636 §4.1). */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

function isProven({ codeVerifier }: Exchange, { codeChallenge }: MobileSsoCode): boolean {
  if (!verifierPattern.test(codeVerifier)) return false;
  const [given, kept] = [Buffer.from(codeChallengeOf(codeVerifier)), Buffer.from(codeChallenge)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}

interface CodeUse extends Exchange {
  readonly found: MobileSsoCode;
  readonly client: Client;
}

/** @returns null if the code is used or its sign-in is no longer valid */
function use({ found, client, deviceName }: CodeUse, context: Context) {
  const { userId, codeHash } = found;
  const { MobileSsoCode } = context.models;
  return inTransaction(context.sequelize, async (transaction): Promise<MobileSignedIn | null> => {
    const user = await lockUser(userId, transaction);
    if (!user) return null;
    const isFirst = await MobileSsoCode.useOnce(codeHash, transaction);
    const code = await MobileSsoCode.findByPk(codeHash, { transaction, include: ["identity"] });
    if (!isFirst || !code) {
      if (code) await endStolen(code, client, transaction);
      return null;
    }
    const { identity } = code;
    if (!identity || !(await isStillEnabled(identity.providerId, transaction))) return null;
    const { generation } = code;
    if (generation === null) return null;
    const grounds = groundsOfProof({ id: userId, generation });
    const admission = await Admission.grant(grounds, user, context);
    if (!admission) return null;
    await completeLogin(admission, { amr: code.amr, via: "mobile", client });
    const pair = await openFamily(admission, deviceName, context);
    await code.update({ familyId: pair.familyId }, { transaction });
    return { user: admission.user, pair };
  });
}

async function endStolen(
  { userId, familyId }: MobileSsoCode,
  { address }: Client,
  transaction: Admission["transaction"],
): Promise<void> {
  if (familyId === null) return;
  if (!(await revokeFamily({ userId, familyId, reason: "reuse" }, transaction))) return;
  await recordActivity(
    {
      actorId: null,
      action: "auth.sso.code_reused",
      target: { type: "user", id: userId },
      address,
      detail: { session: familyId },
    },
    transaction,
  );
}
