import type { Transaction } from "sequelize";

import type { Credential } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { unauthenticated } from "../../platform/errors/errors.ts";
import { findUser, type LockedUser, type UserRow } from "../users/users.ts";
import { credentialParameters, validCredentialSql } from "./valid-credential.ts";

/** The basis for a new credential: an existing credential or a recent proof. */
export interface CredentialBasis {
  readonly userId: number;
  /** The user's generation when the credential was made or the proof was read. */
  readonly generation: number;
  /** Null for a proof, as are the fields below. */
  readonly tokenId: string | null;
  readonly expiresAt: number | null;
  readonly familyId: number | null;
  /** Null except for web sessions. */
  readonly signedInAt: number | null;
}

type ConfigContext = Pick<Context, "config">;

/**
 * A user whose row is locked until the transaction ends, with grounds that were valid under that lock.
 * Only `grant` makes admissions and every mint needs one, so a mint cannot miss a revocation that it
 * waited for.
 */
export class AuthorizedUser {
  /** Read under the lock. New credentials carry its generation. */
  readonly user: UserRow;
  readonly transaction: Transaction;

  private constructor(user: UserRow, transaction: Transaction) {
    this.user = user;
    this.transaction = transaction;
  }

  /** @returns null if the grounds are no longer valid */
  static async authorize(
    basis: CredentialBasis,
    { transaction, ...user }: LockedUser,
    context: ConfigContext,
  ): Promise<AuthorizedUser | null> {
    // A statement that waits for a lock sees other tables as of its start, so check in a later statement.
    if (!(await isBasisValid(basis, transaction, staffSessionSeconds(context)))) return null;
    return new AuthorizedUser(user, transaction);
  }

  /** Reads the user again: new credentials then carry the generation that a revocation just began. */
  async renew(): Promise<AuthorizedUser> {
    const { user: former, transaction } = this;
    const user = await findUser(former.id, { models: modelsOf(transaction) }, transaction);
    if (!user) throw unauthenticated();
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

/** The grounds of a recent proof, with the generation of the row that it was checked with. */
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

/** Checks as a request's authentication does. @param staff lifetime of a staff web session in seconds */
export async function isBasisValid(
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
