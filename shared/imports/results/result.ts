/** What every import's result has in common; each adds the fields the contract prints. */
export interface ImportResult {
  readonly status: string;
  readonly reason: string | null;
  readonly code: string | null;
}
