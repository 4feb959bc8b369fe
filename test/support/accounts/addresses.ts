let addresses = 0;

/**
 * Returns an address that no other test of this file used, because some of theirs are blocked. Each one is
 * in a different /24: the limits also count networks.
 */
export function newAddress(): string {
  addresses += 1;
  return `198.51.${addresses & 255}.${addresses >> 8}`;
}

export const from = (address = newAddress()) => ({ "x-forwarded-for": address });
