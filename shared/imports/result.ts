/** What a caller asked of an import; two that ask the same share one run. */
export interface ImportFlags {
  readonly force?: boolean | undefined;
  readonly approve?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** What every import's result has in common; each adds the fields the contract prints. */
export interface ImportResult {
  readonly status: string;
  readonly reason: string | null;
  readonly code: string | null;
}
