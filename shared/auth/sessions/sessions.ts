import { randomUUID } from "node:crypto";

import type { Transaction } from "sequelize";

import type { Role, User } from "../../../models/auth/user.ts";
import type { Caller, Credential } from "../../platform/access/caller.ts";
import { isDemotion, isStaff, rungOf } from "../../platform/access/roles.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { readToken, signToken, type TokenClaims } from "../../platform/crypto/jwt.ts";
import { queryPrepared } from "../../platform/db/connection/prepared.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { AppError, unauthenticatedError } from "../../platform/errors/errors.ts";
import type { UserRow } from "../users/users.ts";
import {
  type AuthorizedUser,
  basisOfCredential,
  basisParameters,
  isCredentialBasisValid,
  staffSessionSeconds,
} from "./authorized-user.ts";
import { credentialParameters, validCredentialSql } from "./valid-credential.sql.ts";

/** A signed web session for a cookie. */
export interface SessionToken {
  readonly token: string;
  readonly maxAgeMs: number;
}

/** The methods of the sign-in, and the session that a new token continues. */
export interface SessionOptions {
  readonly amr: readonly string[];
  /** An earlier token of the session; the new token keeps its id and start and does not end later. */
  readonly continued?: Pick<Credential, "tokenId" | "signedInAt" | "expiresAt">;
}

/** Issues a web session's token. A continued session keeps its id, so a logout ends all its tokens. */
export async function mintSession(
  { user }: AuthorizedUser,
  { amr, continued }: SessionOptions,
  config: Config,
): Promise<SessionToken> {
  const { id: userId, generation, readAt: issuedAt } = user;
  const { tokenId = randomUUID(), signedInAt = issuedAt } = continued ?? {};
  const latest = continued?.expiresAt ?? Infinity;
  const seconds = Math.max(0, Math.min(latest, sessionEnd(user, signedInAt, config)) - issuedAt);
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

/** Returns the end of a session. For staff it is counted from the later of sign-in and promotion. */
function sessionEnd({ role, staffSince }: UserRow, signedInAt: number, config: Config): number {
  if (!isStaff(role)) return signedInAt + Math.ceil(config.SESSION_TTL / 1000);
  return Math.max(signedInAt, staffSince ?? 0) + staffSessionSeconds({ config });
}

/** The ways to send a session: cookie or bearer token. API tokens are excluded. */
type SessionKind = Exclude<Credential["via"], "token">;

/** The session token of a request. */
export interface RequestToken {
  readonly via: SessionKind;
  readonly token: string;
}

/**
 * Reads the credential of a cookie or bearer token. Accepts expired tokens: `findCaller` checks the age,
 * and a logout revokes them too.
 * @returns null if the token is not genuine
 */
export async function readCredential(
  { via, token }: RequestToken,
  config: Config,
): Promise<Credential | null> {
  const kind = via === "web" ? "session" : "access";
  const claims = await readToken(kind, token, config.JWT_KEYS);
  return claims && credentialOf(via, claims);
}

function credentialOf(via: SessionKind, claims: TokenClaims): Credential {
  const { extra, ...rest } = claims;
  // The schema of the token kind guarantees these fields.
  const {
    auth_time: signedInAt,
    sid: familyId = null,
    amr = [],
  } = extra as Readonly<SessionClaims>;
  return { ...rest, via, signedInAt, amr, familyId };
}

/** The additional claims: `amr` in sessions, `sid` in access tokens. */
interface SessionClaims {
  auth_time: number;
  amr?: readonly string[];
  sid?: number;
}

interface CallerRow extends Readonly<Pick<User, "username" | "email" | "role" | "totpEnabled">> {
  readonly linked: boolean;
  readonly leftMs: number;
}

/** Reads the present user and role of a credential. @returns null if the credential is not valid */
export async function findCaller(
  credential: Credential,
  context: Pick<Context, "sequelize" | "config">,
): Promise<Caller | null> {
  const parameters = basisParameters(basisOfCredential(credential), staffSessionSeconds(context));
  const [row] = await queryPrepared<CallerRow>(callerStatement, parameters, context);
  if (!row) return null;
  const { linked, ...user } = row;
  return {
    ...credential,
    ...user,
    rung: rungOf(user.role, linked),
    apiToken: null,
    holdRights: (transaction) => lockSessionRights(credential, user.role, transaction),
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

/**
 * Checks the session's rights when the request acts, and locks them until the transaction ends. A session
 * that expires after the request arrived still counts as valid. The lock is as strong as that of
 * `lockUser`: two requests that upgrade from a weaker lock would deadlock.
 * @throws AppError unauthenticated, forbidden
 */
async function lockSessionRights(
  credential: Credential,
  role: Role,
  transaction: Transaction,
): Promise<void> {
  const { User } = modelsOf(transaction);
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const read = { attributes: ["role" as const], transaction, lock };
  const user = await User.findByPk(credential.userId, read);
  const basis = { ...basisOfCredential(credential), expiresAt: null, signedInAt: null };
  // A statement that waits for a lock sees other tables as of its start. So check in a later statement.
  if (!user || !(await isCredentialBasisValid(basis, transaction))) throw unauthenticatedError();
  if (isDemotion(role, user.role)) {
    throw new AppError("role_required", "Your role no longer allows this");
  }
}
