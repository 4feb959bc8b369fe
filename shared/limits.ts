/** Every number of the contract's Limits table and of its rules for bodies, by name. */
export const limits = {
  /** Bytes of a JSON request body; routes that take documents say their own. */
  bodyBytes: 256 * 1024,
  /** Nesting of a JSON body or of a bridge frame's payload. */
  jsonDepth: 32,
  auditEvents: { min: 1, max: 500, default: 50 },
} as const;
