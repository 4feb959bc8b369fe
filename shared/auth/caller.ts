import type { Role, Rung } from "./roles.ts";

/** Who makes a request: the fresh user row and the credential that named it. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  readonly rung: Rung;
  /** `web` by session cookie, `mobile` by bearer token. */
  readonly via: "web" | "mobile";
  /** The credential's own id, by which it is revoked. */
  readonly tokenId: string;
  /** Whole epoch seconds at which the credential was issued. */
  readonly issuedAt: number;
  /** Whole epoch seconds of the sign-in behind the credential. */
  readonly signedInAt: number;
  /** The device session a mobile token belongs to. */
  readonly familyId: string | null;
}
