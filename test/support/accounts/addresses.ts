let addresses = 0;

/**
 * Returns an address that no other test of the file has used, because some used addresses are blocked. Each
 * address is in a /24 of its own, because the limits count networks too.
 */
export function newAddress(): string {
  addresses += 1;
  return `198.51.${addresses & 255}.${addresses >> 8}`;
}

/** Returns the headers of a request from an address. */
export const sentFrom = (address = newAddress()) => ({ "x-forwarded-for": address });
