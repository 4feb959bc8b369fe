import type { Role, Rung } from "./roles.ts";

/** What a credential says of itself. */
export interface Credential {
  readonly userId: number;
  /** `web` by session cookie, `mobile` by bearer token. */
  readonly via: "web" | "mobile";
  /** The credential's own id, by which it is revoked. */
  readonly tokenId: string;
  /** Whole epoch seconds at which the credential was issued. */
  readonly issuedAt: number;
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
}
