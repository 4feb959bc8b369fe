import { randomUUID } from "node:crypto";

import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { readToken, signToken, type TokenClaims } from "../crypto/jwt.ts";
import { queryPrepared } from "../db/prepared.ts";
import type { Caller, Credential } from "./caller.ts";
import { isStaff, type Role, rungOf } from "./roles.ts";
import type { UserRow } from "./users.ts";

/** A signed web session, on its way into a cookie. */
export interface SessionToken {
  readonly token: string;
  readonly maxAgeMs: number;
}

/** What a session rests on: the read that supplied the proof, and how the user was proved. */
export interface SessionGrounds {
  readonly user: Pick<UserRow, "id" | "role" | "issuedAt">;
  readonly amr: readonly string[];
  /** The session this one continues: it keeps the sign-in's age and does not end later. */
  readonly continued?: Pick<Credential, "signedInAt" | "expiresAt">;
}

export async function mintSession(grounds: SessionGrounds, config: Config): Promise<SessionToken> {
  const { user, amr, continued } = grounds;
  const { signedInAt = user.issuedAt, expiresAt: latest = Infinity } = continued ?? {};
  const lifeMs = isStaff(user.role) ? config.STAFF_SESSION_TTL : config.SESSION_TTL;
  const maxAgeMs = Math.max(0, Math.min(lifeMs, (latest - user.issuedAt) * 1000));
  const claims = {
    userId: user.id,
    tokenId: randomUUID(),
    issuedAt: user.issuedAt,
    expiresAt: user.issuedAt + Math.ceil(maxAgeMs / 1000),
    extra: { amr, auth_time: signedInAt },
  };
  return { token: await signToken("session", claims, config.JWT_KEYS), maxAgeMs };
}

/** Reads a cookie's session or a bearer's access token. @returns null when it is not genuine */
export async function readCredential(
  via: Credential["via"],
  token: string,
  config: Config,
): Promise<Credential | null> {
  const kind = via === "web" ? "session" : "access";
  const claims = await readToken(kind, token, config.JWT_KEYS);
  return claims && credentialOf(via, claims);
}

function credentialOf(via: Credential["via"], claims: TokenClaims): Credential | null {
  const { extra, ...rest } = claims;
  const { auth_time: signedInAt, sid: familyId = null, amr = [] } = extra as Partial<SessionClaims>;
  if (signedInAt === undefined || !Number.isSafeInteger(signedInAt)) return null;
  if ((via === "mobile") !== Number.isSafeInteger(familyId)) return null;
  return { ...rest, via, signedInAt, amr, familyId };
}

/** What sessions and access tokens add to every token's claims. */
interface SessionClaims {
  readonly auth_time: number;
  readonly amr: readonly string[];
  readonly sid: number | null;
}

interface CallerRow {
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly totpEnabled: boolean;
  readonly linked: boolean;
}

/**
 * The fresh user behind a credential, in one statement: the row, the log-out list, the device
 * session, the cut-off and whether a game account is linked. Open streams ask again by it.
 * @returns null when the credential no longer stands
 */
export async function findCaller(
  credential: Credential,
  context: Pick<Context, "sequelize" | "config">,
): Promise<Caller | null> {
  const { userId, tokenId, issuedAt, familyId } = credential;
  const asked = [userId, tokenId, issuedAt, familyId];
  const [row] = await queryPrepared<CallerRow>(callerStatement, asked, context);
  if (!row) return null;
  const { linked, ...user } = row;
  return { ...credential, ...user, rung: rungOf(user.role, linked) };
}

const callerStatement = {
  name: "caller",
  text: `
  select username, email, role, totp_enabled as "totpEnabled",
         exists (select from shard_links where user_id = users.id) as linked
  from users
  where id = $1 and disabled_at is null and tokens_valid_after < $3
    and not exists (select from revoked_tokens where token_id = $2)
    and ($4::integer is null or exists (
      select from mobile_families
      where id = $4 and user_id = users.id and revoked_at is null and expires_at > now()))`,
};
