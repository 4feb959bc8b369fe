import type { Client } from "../../platform/access/client.ts";
import type { Context } from "../../platform/context.ts";
import { type ChallengeAnswer, completeChallenge } from "../login/complete-challenge.ts";
import { completeLogin } from "../login/complete-login.ts";
import { isStillEnabled } from "../providers/providers.ts";
import { wrongCode } from "../rules/refusals.ts";
import { readChallenge } from "../second-factor/challenges.ts";
import type { TrustToken } from "../second-factor/trusted-devices.ts";
import type { Admission } from "../sessions/admission.ts";
import { mintSession, type SessionToken } from "../sessions/sessions.ts";
import type { UserRow } from "../users/users.ts";
import { mintMobileCode } from "./mobile-codes.ts";
import { recordSignIn } from "./sign-in.ts";
import { type AppRequest, appRequestOf } from "./transactions.ts";

/** A sign-in at a provider whose second factor is proven: of this browser, or of the app. */
export type SsoSignedIn =
  | {
      readonly user: UserRow;
      readonly session: SessionToken;
      readonly trust: TrustToken | null;
    }
  | { readonly redirectTo: string };

/** The second factor for a challenge of a sign-in at a provider. @throws SignInRefusal */
export async function completeSsoChallenge(
  challenge: string | undefined,
  answer: ChallengeAnswer,
  client: Client,
  context: Context,
): Promise<SsoSignedIn> {
  const origin = await findOrigin(challenge, context);
  const { app, provider, identityId } = origin;
  const mint = async (admission: Admission, amr: readonly string[]) => {
    if (!(await isStillEnabled(provider, admission.transaction))) throw wrongCode();
    await recordSignIn(admission, provider, client);
    if (app) return mintMobileCode(admission, { app, identityId, amr }, context);
    await completeLogin(admission, { amr, via: "web", client });
    return mintSession(admission, { amr }, context.config);
  };
  // A sign-in of the app leaves nothing in the browser it went through.
  const trusts = app === null && answer.trustDevice;
  const use = { kind: "sso_totp", challenge, client, mint } as const;
  const done = await completeChallenge(
    { ...use, answer: { ...answer, trustDevice: trusts } },
    context,
  );
  const { user, minted, trust } = done;
  return typeof minted === "string" ? { redirectTo: minted } : { user, session: minted, trust };
}

interface Origin {
  readonly app: AppRequest | null;
  readonly provider: string;
  readonly identityId: number;
}

/** @throws SignInRefusal when the challenge is none, or its provider was switched off */
async function findOrigin(challenge: string | undefined, context: Context): Promise<Origin> {
  const claims = await readChallenge("sso_totp", challenge ?? "", context);
  const row =
    claims &&
    (await context.models.AuthChallenge.findByPk(claims.tokenId, {
      include: ["ssoTransaction", { association: "identity", include: ["provider"] }],
    }));
  const { ssoTransaction, identity } = row ?? {};
  if (!ssoTransaction || !identity?.provider?.enabled) throw wrongCode();
  return {
    app: appRequestOf(ssoTransaction),
    provider: identity.providerId,
    identityId: identity.id,
  };
}
