import type { Role } from "../../../models/auth/user.ts";
import type { HoldRights } from "./acting.ts";
import type { Rung } from "./roles.ts";

/** What a credential says of itself. */
export interface Credential {
  readonly userId: number;
  /** `web` by session cookie, `mobile` by the app's bearer token, `token` by one for programs. */
  readonly via: "web" | "mobile" | "token";
  /** By which it is revoked: a web session's, the same when it is issued anew, or the token's. */
  readonly tokenId: string;
  /** Of the user's credentials when the credential was made. */
  readonly generation: number;
  /** Whole epoch seconds at which it ends by itself. */
  readonly expiresAt: number;
  /** Whole epoch seconds of the sign-in behind the credential. */
  readonly signedInAt: number;
  /** How that sign-in was proved, as RFC 8176 names it; empty for a mobile token. */
  readonly amr: readonly string[];
  /** The device session a mobile token belongs to. */
  readonly familyId: number | null;
}

/** Who makes a request: the fresh user row and the credential that named it. */
export interface Caller extends Credential {
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly rung: Rung;
  readonly totpEnabled: boolean;
  /** For how long the credential was still valid by itself when the caller was read. */
  readonly leftMs: number;
  /**
   * The token of a program: it acts for the user who made it, with a role and rung of its own, and
   * is nobody itself. Null for people.
   */
  readonly apiToken: HeldToken | null;
  readonly holdRights: HoldRights;
}

/** A token of the API, which stands for nobody's session. */
export interface HeldToken {
  readonly id: number;
  readonly name: string;
  /** What it opens: `shard-staff:write`. */
  readonly scopes: readonly string[];
}

/** By what callers are counted and told apart: each token counts for itself. */
export const subjectOf = ({ userId, apiToken }: Caller): number | string =>
  apiToken ? `token ${apiToken.id}` : userId;

/** Where a request to sign in comes from. */
export interface Client {
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  /** What the browser holds as a trusted device. */
  readonly trustToken?: string | undefined;
}
