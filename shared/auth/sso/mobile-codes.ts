import { timingSafeEqual } from "node:crypto";

import type { MobileSsoCode } from "../../../models/auth/mobile-sso-code.ts";
import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { SignInClient } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, generateToken } from "../../platform/crypto/tokens.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { recordLogin } from "../login/authorize-login.ts";
import { isStillEnabled } from "../providers/providers.ts";
import { SignInRefusal } from "../rules/sign-in-errors.ts";
import { AuthorizedUser, basisOfProof } from "../sessions/authorized-user.ts";
import { type MobileSignIn, openDeviceSession } from "../sessions/mobile-tokens.ts";
import { revokeDeviceSession } from "../sessions/revocation.ts";
import { lockUser } from "../users/users.ts";
import { appUrl } from "./redirects.ts";
import { codeChallengeOf, type AppRequest } from "./transactions.ts";

export interface AppSignIn {
  readonly app: AppRequest;
  readonly identityId: number;
  readonly amr: readonly string[];
}

/** Issues a code for the app's sign-in. @returns the app's redirect URI with the code */
export async function mintMobileCode(
  { user, transaction }: AuthorizedUser,
  { app, identityId, amr }: AppSignIn,
  { config, models }: Context,
): Promise<string> {
  const code = generateToken();
  await models.MobileSsoCode.create(
    {
      codeHash: hashToken(code),
      userId: user.id,
      identityId,
      codeChallenge: app.codeChallenge,
      amr: [...amr],
      generation: user.generation,
      issuedAt: user.readAt,
      expiresAt: clockNowPlus(config.MOBILE_CODE_TTL),
      consumedAt: null,
      familyId: null,
    },
    { transaction },
  );
  return appUrl(app, { code });
}

export interface CodeExchangeRequest {
  readonly code: string;
  /** The secret whose hash the app sent when the sign-in began. */
  readonly codeVerifier: string;
  readonly deviceName: string | null;
}

/**
 * Exchanges the app's code for tokens. Checks the verifier first, so that another person cannot
 * invalidate the code. A second use of a code means theft, so it ends the session.
 * @throws SignInRefusal with the same message for all failures
 */
export async function exchangeMobileCode(
  exchange: CodeExchangeRequest,
  client: SignInClient,
  context: Context,
): Promise<MobileSignIn> {
  const codeHash = hashToken(exchange.code);
  const storedCode = await context.models.MobileSsoCode.findByPk(codeHash);
  if (!storedCode || !isVerifierCorrect(exchange, storedCode)) throw invalidGrant();
  const signedIn = await useCode({ ...exchange, found: storedCode, client }, context);
  if (!signedIn) throw invalidGrant();
  return signedIn;
}

const invalidGrant = () => new SignInRefusal("token", "invalid_grant", "invalid_grant");

/** The allowed characters and length of a verifier (RFC 7636 §4.1). */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

function isVerifierCorrect(
  { codeVerifier }: CodeExchangeRequest,
  { codeChallenge }: MobileSsoCode,
): boolean {
  if (!verifierPattern.test(codeVerifier)) return false;
  const [given, kept] = [Buffer.from(codeChallengeOf(codeVerifier)), Buffer.from(codeChallenge)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}

interface VerifiedExchange extends CodeExchangeRequest {
  readonly found: MobileSsoCode;
  readonly client: SignInClient;
}

/** @returns null if the code is used or its sign-in is no longer valid */
function useCode({ found, client, deviceName }: VerifiedExchange, context: Context) {
  const { userId, codeHash } = found;
  const { MobileSsoCode } = context.models;
  return inCallersTransaction(
    context.sequelize,
    async (transaction): Promise<MobileSignIn | null> => {
      const user = await lockUser(userId, transaction);
      if (!user) return null;
      const isFirst = await MobileSsoCode.useOnce(codeHash, transaction);
      const code = await MobileSsoCode.findByPk(codeHash, { transaction, include: ["identity"] });
      if (!isFirst || !code) {
        if (code) await revokeStolen(code, client, transaction);
        return null;
      }
      const { identity } = code;
      if (!identity || !(await isStillEnabled(identity.providerId, transaction))) return null;
      const { generation } = code;
      if (generation === null) return null;
      const basis = basisOfProof({ id: userId, generation });
      const authorized = await AuthorizedUser.authorize(basis, user, context);
      if (!authorized) return null;
      await recordLogin(authorized, { amr: code.amr, via: "mobile", client });
      const pair = await openDeviceSession(authorized, deviceName, context);
      await code.update({ familyId: pair.familyId }, { transaction });
      return { user: authorized.user, pair };
    },
  );
}

async function revokeStolen(
  { userId, familyId }: MobileSsoCode,
  { address }: SignInClient,
  transaction: AuthorizedUser["transaction"],
): Promise<void> {
  if (familyId === null) return;
  if (!(await revokeDeviceSession({ userId, familyId, reason: "reuse" }, transaction))) return;
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
