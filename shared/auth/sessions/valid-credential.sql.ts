/** SQL of the fields of a credential: parameters or column names. */
export interface CredentialSql {
  readonly userId: string;
  readonly generation: string;
  /** Null for a proof. */
  readonly tokenId: string;
  /** Whole epoch seconds; null for a proof. */
  readonly expiresAt: string;
  /** Null for a web session. */
  readonly familyId: string;
  /** SQL null except for web sessions. */
  readonly signedInAt: string;
  /** Lifetime of a staff web session in seconds. */
  readonly staffSeconds: string;
}

/**
 * THE condition on `users` for a credential to be valid: the user exists and is not disabled; the
 * credential is of the current generation, not expired and not logged out; its device session has not
 * ended. A staff web session also ends a fixed time after the sign-in, or after the user became staff if
 * that is later.
 */
export const validCredentialSql = (credential: CredentialSql): string => `
  users.id = ${credential.userId} and users.disabled_at is null
  and users.generation = ${credential.generation}
  and (${credential.expiresAt} is null
    or to_timestamp(${credential.expiresAt}) > clock_timestamp())
  and not exists (select from revoked_tokens where token_id = ${credential.tokenId})
  and (${credential.familyId} is null or exists (
    select from mobile_families as family
    where family.id = ${credential.familyId} and family.user_id = users.id
      and family.revoked_at is null and family.expires_at > clock_timestamp()))
  and (${credential.signedInAt} is null or users.role = 'player'
    or greatest(to_timestamp(${credential.signedInAt}), users.staff_since)
        + make_interval(secs => ${credential.staffSeconds})
      > clock_timestamp())`;

/** The fields as parameters of a statement. */
export const credentialParameters: CredentialSql = {
  userId: "$1",
  generation: "$2",
  tokenId: "$3::uuid",
  expiresAt: "$4::bigint",
  familyId: "$5::integer",
  signedInAt: "$6::bigint",
  staffSeconds: "$7::integer",
};
