import type { Transaction } from "sequelize";

import type { Credential } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { unauthenticated } from "../../platform/errors/errors.ts";
import { findUser, type LockedUser, type UserRow } from "../users/users.ts";
import { credentialParameters, validCredentialSql } from "./valid-credential.ts";

/** By what somebody asks for a new credential: by one they hold, or by a proof of a moment ago. */
export interface Grounds {
  readonly userId: number;
  /** Of the user's credentials when the credential was made or the proof was read. */
  readonly generation: number;
  /** Null for a proof, as all below. */
  readonly tokenId: string | null;
  readonly expiresAt: number | null;
  readonly familyId: number | null;
  /** Of a web session alone. */
  readonly signedInAt: number | null;
}

type Stores = Pick<Context, "config">;

/**
 * A user whose row is locked until the transaction ends, and whose grounds were valid under that
 * lock. Every credential is minted for an admission, and `grant` alone makes them: so no mint can
 * miss what was revoked while it waited for the lock.
 */
export class Admission {
  /** As it is under the lock: what is minted carries its generation. */
  readonly user: UserRow;
  readonly transaction: Transaction;

  private constructor(user: UserRow, transaction: Transaction) {
    this.user = user;
    this.transaction = transaction;
  }

  /** @returns null when the grounds are not valid any more */
  static async grant(
    grounds: Grounds,
    { transaction, ...user }: LockedUser,
    context: Stores,
  ): Promise<Admission | null> {
    // A statement that waits for a lock sees other tables as they were before: ask in a later one.
    if (!(await areStillValid(grounds, transaction, staffSeconds(context)))) return null;
    return new Admission(user, transaction);
  }

  /** The same user read again, so that what is minted is of the generation that a cut just began. */
  async renew(): Promise<Admission> {
    const { user: former, transaction } = this;
    const user = await findUser(former.id, { models: modelsOf(transaction) }, transaction);
    if (!user) throw unauthenticated();
    return new Admission(user, transaction);
  }
}

/** What a credential is admitted by. */
export const groundsOf = ({
  userId,
  generation,
  tokenId,
  expiresAt,
  familyId,
  signedInAt,
}: Credential): Grounds => ({
  userId,
  generation,
  tokenId,
  expiresAt,
  familyId,
  signedInAt: familyId === null ? signedInAt : null,
});

/** What a proof of a moment ago admits by: the generation of the very row that it was checked with. */
export const groundsOfProof = ({
  id: userId,
  generation,
}: Pick<UserRow, "id" | "generation">): Grounds => ({
  userId,
  generation,
  tokenId: null,
  expiresAt: null,
  familyId: null,
  signedInAt: null,
});

export const staffSeconds = ({ config }: Stores): number =>
  Math.ceil(config.STAFF_SESSION_TTL / 1000);

/**
 * Asks for everything that a request's authentication asks for.
 * @param staff seconds that a web session of staff lives, where the grounds say when it began
 */
export async function areStillValid(
  grounds: Grounds,
  transaction: Transaction,
  staff = 0,
): Promise<boolean> {
  const found = await rows(transaction, validSql, parametersOf(grounds, staff));
  return found.length === 1;
}

/** The values of `credentialParameters`. */
export const parametersOf = (
  { userId, generation, tokenId, expiresAt, familyId, signedInAt }: Grounds,
  staff: number,
): readonly unknown[] => [userId, generation, tokenId, expiresAt, familyId, signedInAt, staff];

const validSql = `select from users where ${validCredentialSql(credentialParameters)}`;
