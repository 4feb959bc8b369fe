let addresses = 0;

/**
 * One that no other test of this file came from: some of theirs are blocked. One after the other is in
 * another /24, which is counted too.
 */
export function newAddress(): string {
  addresses += 1;
  return `198.51.${addresses & 255}.${addresses >> 8}`;
}

/** Headers of a request that comes from an address. */
export const from = (address = newAddress()) => ({ "x-forwarded-for": address });
