let addresses = 0;

/**
 * Returns a client IP address that no other test of the file has used, because some used addresses are blocked.
 * Each address is in a /24 of its own, because the limits count networks too.
 */
export function newAddress(): string {
  addresses += 1;
  return `198.51.${addresses & 255}.${addresses >> 8}`;
}

/** Returns the headers that make a request appear to come from this client IP address. */
export const headersFromAddress = (address = newAddress()) => ({ "x-forwarded-for": address });
