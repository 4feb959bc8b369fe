/** The numbers of the contract's Limits table and of its rules for bodies that nobody configures. */
export const limits = {
  /** Bytes of a JSON request body; routes that take documents say their own. */
  bodyBytes: 256 * 1024,
  /** Nesting of a JSON body or of a bridge frame's payload. */
  jsonDepth: 32,
  /** Characters of a user name, and of a password, that somebody chooses. */
  username: { min: 3, max: 32 },
  password: { min: 8, max: 1024 },
  /** Characters of what the market is searched for. */
  marketTerm: 60,
  marketPage: { min: 1, max: 100, default: 50 },
  vendorPage: { min: 1, max: 500, default: 250 },
  vendorSales: { min: 1, max: 500, default: 100 },
  auditEvents: { min: 1, max: 500, default: 50 },
  /** Pictures of items that one warming asks for. */
  itemArt: { min: 1, max: 2000, default: 500 },
} as const;
