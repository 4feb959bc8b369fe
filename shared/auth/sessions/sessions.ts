import { randomUUID } from "node:crypto";

import type { User } from "../../../models/auth/user.ts";
import type { Caller, Credential } from "../../platform/access/caller.ts";
import { isStaff, rungOf } from "../../platform/access/roles.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { readToken, signToken, type TokenClaims } from "../../platform/crypto/jwt.ts";
import { queryPrepared } from "../../platform/db/connection/prepared.ts";
import type { UserRow } from "../users/users.ts";
import { type Admission, groundsOf, parametersOf, staffSeconds } from "./admission.ts";
import { holdRights } from "./hold-rights.ts";
import { credentialParameters, validCredentialSql } from "./valid-credential.ts";

/** A signed web session, on its way into a cookie. */
export interface SessionToken {
  readonly token: string;
  readonly maxAgeMs: number;
}

/** How the user was proved, and what for. */
export interface SessionGrounds {
  readonly amr: readonly string[];
  /** The session this one continues: it keeps the sign-in's age and does not end later. */
  readonly continued?: Pick<Credential, "tokenId" | "signedInAt" | "expiresAt">;
}

/**
 * A web session. One that is issued anew keeps its id, so that a log-out by the former token ends
 * the new one too, whoever holds that.
 */
export async function mintSession(
  { user }: Admission,
  { amr, continued }: SessionGrounds,
  config: Config,
): Promise<SessionToken> {
  const { id: userId, generation, readAt: issuedAt } = user;
  const { tokenId = randomUUID(), signedInAt = issuedAt } = continued ?? {};
  const latest = continued?.expiresAt ?? Infinity;
  const seconds = Math.max(0, Math.min(latest, endOf(user, signedInAt, config)) - issuedAt);
  const claims = {
    userId,
    tokenId,
    generation,
    issuedAt,
    expiresAt: issuedAt + seconds,
    extra: { amr, auth_time: signedInAt },
  };
  const token = await signToken("session", claims, config.JWT_KEYS);
  return { token, maxAgeMs: seconds * 1000 };
}

/** Staff's time counts from the day they became staff, where that is later than the sign-in. */
function endOf({ role, staffSince }: UserRow, signedInAt: number, config: Config): number {
  if (!isStaff(role)) return signedInAt + Math.ceil(config.SESSION_TTL / 1000);
  return Math.max(signedInAt, staffSince ?? 0) + staffSeconds({ config });
}

/** What carries a session; tokens for programs are none. */
type SessionKind = Exclude<Credential["via"], "token">;

/** A token as a request carries it. */
export interface GivenToken {
  readonly via: SessionKind;
  readonly token: string;
}

/**
 * Reads a cookie's session or a bearer's access token. It may have expired: `findCaller` asks, and a
 * log-out revokes it all the same.
 * @returns null when it is not genuine
 */
export async function readCredential(
  { via, token }: GivenToken,
  config: Config,
): Promise<Credential | null> {
  const kind = via === "web" ? "session" : "access";
  const claims = await readToken(kind, token, config.JWT_KEYS);
  return claims && credentialOf(via, claims);
}

function credentialOf(via: SessionKind, claims: TokenClaims): Credential {
  const { extra, ...rest } = claims;
  // Proven by the schema of the kind.
  const { auth_time: signedInAt, sid: familyId = null, amr = [] } = extra as Readonly<OwnClaims>;
  return { ...rest, via, signedInAt, amr, familyId };
}

/** What sessions (`amr`) and access tokens (`sid`) add to every token's claims. */
interface OwnClaims {
  auth_time: number;
  amr?: readonly string[];
  sid?: number;
}

interface CallerRow extends Readonly<Pick<User, "username" | "email" | "role" | "totpEnabled">> {
  readonly linked: boolean;
  readonly leftMs: number;
}

/**
 * The fresh user behind a credential, in one statement: whether the credential is valid, the row,
 * and whether a game account is linked.
 * @returns null when the credential is no longer valid
 */
export async function findCaller(
  credential: Credential,
  context: Pick<Context, "sequelize" | "config">,
): Promise<Caller | null> {
  const asked = parametersOf(groundsOf(credential), staffSeconds(context));
  const [row] = await queryPrepared<CallerRow>(callerStatement, asked, context);
  if (!row) return null;
  const { linked, ...user } = row;
  return {
    ...credential,
    ...user,
    rung: rungOf(user.role, linked),
    apiToken: null,
    holdRights: (transaction) => holdRights(credential, user.role, transaction),
  };
}

const callerStatement = {
  name: "caller",
  text: `
  select username, email, role, totp_enabled as "totpEnabled",
         exists (select from shard_links where user_id = users.id) as linked,
         floor(1000 * date_part('epoch', to_timestamp($4::bigint) - clock_timestamp())) as "leftMs"
  from users
  where ${validCredentialSql(credentialParameters)}`,
};
