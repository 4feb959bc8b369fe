import type { Role } from "../../../models/auth/user.ts";
import type { RightsCheck } from "./caller-rights.ts";
import type { Rung } from "./roles.ts";

export interface Credential {
  readonly userId: number;
  /** `web`: session cookie. `mobile`: bearer token of the app. `token`: API token of a program. */
  readonly via: "web" | "mobile" | "token";
  /** The id by which the credential is revoked: the web session's id, which renewals keep, or the token's id. */
  readonly tokenId: string;
  readonly generation: number;
  /** Expiry, in whole epoch seconds. */
  readonly expiresAt: number;
  /** Time of the sign-in behind the credential, in whole epoch seconds. */
  readonly signedInAt: number;
  /** Authentication methods of the sign-in, in the names of RFC 8176. Empty for a mobile token. */
  readonly amr: readonly string[];
  readonly familyId: number | null;
}

/** The user who makes a request, as stored when the request arrived, with the credential. */
export interface Caller extends Credential {
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly rung: Rung;
  readonly totpEnabled: boolean;
  /** Milliseconds from the time when the caller was read until the credential expires. */
  readonly leftMs: number;
  /** The API token of a program. It acts for its user with its own role and access level. Null for people. */
  readonly apiToken: CallerToken | null;
  readonly holdRights: RightsCheck;
}

export interface CallerToken {
  readonly id: number;
  readonly name: string;
  /** Scopes such as `shard-staff:write`. */
  readonly scopes: readonly string[];
}

/** The key by which callers are counted. Each API token counts separately from its user. */
export const callerKey = ({ userId, apiToken }: Caller): number | string =>
  apiToken ? `token ${apiToken.id}` : userId;

export interface SignInClient {
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly trustToken?: string | undefined;
}
