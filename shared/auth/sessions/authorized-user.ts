import type { Transaction } from "sequelize";

import type { Credential } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { unauthenticatedError } from "../../platform/errors/errors.ts";
import { findUser, type LockedUser, type UserRow } from "../users/users.ts";
import { credentialParameters, validCredentialSql } from "./valid-credential.sql.ts";

/** The reason to issue a new credential: an existing credential or a recent proof of identity. */
export interface CredentialBasis {
  readonly userId: number;
  /** The user's counter of revocations when the credential was made or the identity was proved. */
  readonly generation: number;
  /** Null for a proof of identity, for which the fields below are null too. */
  readonly tokenId: string | null;
  readonly expiresAt: number | null;
  readonly familyId: number | null;
  /** Null except for web sessions. */
  readonly signedInAt: number | null;
}

type ConfigContext = Pick<Context, "config">;

/**
 * A user who may get new credentials. The row is locked until the transaction ends, and the basis was
 * checked under the lock. Only `authorize` creates instances and every function that issues credentials
 * needs one, so code that waited for the lock of a revocation issues no credential.
 */
export class AuthorizedUser {
  /** The user as read under the lock. New credentials contain the user's generation. */
  readonly user: UserRow;
  readonly transaction: Transaction;

  private constructor(user: UserRow, transaction: Transaction) {
    this.user = user;
    this.transaction = transaction;
  }

  /** @returns null if the basis is no longer valid */
  static async authorize(
    basis: CredentialBasis,
    { transaction, ...user }: LockedUser,
    context: ConfigContext,
  ): Promise<AuthorizedUser | null> {
    // A statement that waits for a lock sees other tables as of its start. So check in a later statement.
    if (!(await isCredentialBasisValid(basis, transaction, staffSessionSeconds(context)))) {
      return null;
    }
    return new AuthorizedUser(user, transaction);
  }

  /** Reads the user again after a revocation, which begins a new generation for new credentials. */
  async renew(): Promise<AuthorizedUser> {
    const { user: former, transaction } = this;
    const user = await findUser(former.id, { models: modelsOf(transaction) }, transaction);
    if (!user) throw unauthenticatedError();
    return new AuthorizedUser(user, transaction);
  }
}

export const basisOfCredential = ({
  userId,
  generation,
  tokenId,
  expiresAt,
  familyId,
  signedInAt,
}: Credential): CredentialBasis => ({
  userId,
  generation,
  tokenId,
  expiresAt,
  familyId,
  signedInAt: familyId === null ? signedInAt : null,
});

/** Returns the basis of a recent proof, with the user's generation at the time of the check. */
export const basisOfProof = ({
  id: userId,
  generation,
}: Pick<UserRow, "id" | "generation">): CredentialBasis => ({
  userId,
  generation,
  tokenId: null,
  expiresAt: null,
  familyId: null,
  signedInAt: null,
});

export const staffSessionSeconds = ({ config }: ConfigContext): number =>
  Math.ceil(config.STAFF_SESSION_TTL / 1000);

/** Checks a basis like the credential of an incoming request. @param staff seconds a staff web session lasts */
export async function isCredentialBasisValid(
  basis: CredentialBasis,
  transaction: Transaction,
  staff = 0,
): Promise<boolean> {
  const found = await rows(transaction, validSql, basisParameters(basis, staff));
  return found.length === 1;
}

/** The values of `credentialParameters`, in the same order. */
export const basisParameters = (
  { userId, generation, tokenId, expiresAt, familyId, signedInAt }: CredentialBasis,
  staff: number,
): readonly unknown[] => [userId, generation, tokenId, expiresAt, familyId, signedInAt, staff];

const validSql = `select from users where ${validCredentialSql(credentialParameters)}`;
