/** Where a request to sign in comes from. */
export interface Client {
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  /** What the browser holds as a trusted device. */
  readonly trustToken?: string | undefined;
}
