import type { Transaction } from "sequelize";

import type { ApiToken } from "../../../models/auth/api-token.ts";
import type { User } from "../../../models/auth/user.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { type Rung, isStaff } from "../../platform/access/roles.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken } from "../../platform/crypto/tokens.ts";
import { queryPrepared } from "../../platform/db/connection/prepared.ts";
import { rows } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { unauthenticatedError } from "../../platform/errors/errors.ts";

/** The prefix by which people and secret scanners recognize a token. */
export const tokenPrefix = "ght_";

/** True if a bearer token has the form of an API token: the prefix and 32 bytes. */
export const isApiToken = (token: string): boolean => /^ght_[\w-]{43}$/.test(token);

/** THE condition for a token to be valid: unrevoked, unexpired and made by an active administrator. */
const validTokenCondition = `token.revoked_at is null
  and (token.expires_at is null or token.expires_at > clock_timestamp())
  and maker.role = 'admin' and maker.disabled_at is null`;

const tokensJoinSql = "api_tokens as token join users as maker on maker.id = token.created_by";

/** SQL that is true if a token is valid. @param id SQL of the token's id; SQL null is never valid */
export const validTokenSql = (id: string): string =>
  `exists (select from ${tokensJoinSql} where token.id = ${id} and ${validTokenCondition})`;

type TokenColumns = Pick<ApiToken, "id" | "name" | "role" | "scopes">;

interface TokenRow
  extends Readonly<TokenColumns>, Readonly<Pick<User, "username" | "totpEnabled" | "generation">> {
  readonly userId: number;
  /** Whole epoch seconds. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly leftMs: number | null;
  /** True if the last use was stored less than a minute ago, so it need not be stored again. */
  readonly isNoted: boolean;
}

/**
 * Finds the caller of a valid token, else null. The caller's `totpEnabled` is that of the user who created the
 * token.
 */
export async function findTokenCaller(token: string, context: Context): Promise<Caller | null> {
  const [row] = await queryPrepared<TokenRow>(callerStatement, [hashToken(token)], context);
  if (!row) return null;
  if (!row.isNoted) await context.models.ApiToken.recordUse(row.id);
  return callerOf(row);
}

const callerStatement = {
  name: "token_caller",
  text: `
  select token.id, token.name, token.role, token.scopes,
    coalesce(token.last_used_at > clock_timestamp() - interval '1 minute', false) as "isNoted",
    maker.id as "userId", maker.username, maker.totp_enabled as "totpEnabled",
    maker.generation,
    floor(extract(epoch from token.created_at))::bigint as "createdAt",
    floor(extract(epoch from token.expires_at))::bigint as "expiresAt",
    floor(1000 * extract(epoch from token.expires_at - clock_timestamp()))::double precision
      as "leftMs"
  from ${tokensJoinSql} where token.token_hash = $1 and ${validTokenCondition}`,
};

const callerOf = ({
  id,
  name,
  scopes,
  role,
  createdAt,
  expiresAt,
  leftMs,
  ...maker
}: TokenRow): Caller => ({
  userId: maker.userId,
  username: maker.username,
  totpEnabled: maker.totpEnabled,
  email: null,
  role,
  rung: rungOf(role),
  via: "token",
  tokenId: String(id),
  familyId: null,
  generation: maker.generation,
  signedInAt: createdAt,
  expiresAt: expiresAt ?? Infinity,
  leftMs: leftMs ?? Infinity,
  amr: [],
  apiToken: { id, name, scopes },
  holdRights: (transaction) => lockToken({ id, userId: maker.userId }, transaction),
});

/** The access level depends on the role alone, because a token has no linked game accounts. */
const rungOf = (role: ApiToken["role"]): Rung => (isStaff(role) ? "staff" : "player");

/** Locks a token against revocation and checks it. @throws AppError unauthenticated */
async function lockToken(
  { id, userId }: Pick<TokenRow, "id" | "userId">,
  transaction: Transaction,
): Promise<void> {
  const { User, ApiToken } = modelsOf(transaction);
  const lockOptions = { attributes: ["id" as const], transaction, lock: transaction.LOCK.SHARE };
  await User.findByPk(userId, lockOptions);
  await ApiToken.findByPk(id, lockOptions);
  const [valid] = await rows<Pick<ApiToken, "id">>(transaction, validSql, [[id]]);
  if (!valid) throw unauthenticatedError();
}

/** Finds the callers whose API token is no longer valid. */
export async function findInvalidTokenCallers(
  callers: readonly Caller[],
  { sequelize }: Pick<Context, "sequelize">,
): Promise<ReadonlySet<Caller>> {
  if (callers.length === 0) return new Set();
  const tokenIds = callers.map(({ apiToken }) => apiToken?.id ?? null);
  const valid = await rows<Pick<ApiToken, "id">>(sequelize, validSql, [tokenIds]);
  const ids = new Set(valid.map(({ id }) => id));
  return new Set(callers.filter(({ apiToken }) => apiToken && !ids.has(apiToken.id)));
}

const validSql = `
  select token.id from ${tokensJoinSql} where token.id = any($1::integer[]) and ${validTokenCondition}`;
