import { hash } from "node:crypto";

/** Returns the first half of one digest and the second half of another, so that each can be compared separately. */
export const joinDigests = (one: string, other: string): string =>
  one.slice(0, digestHalf) + other.slice(digestHalf);

/** Characters of a digest's first half, including hyphens. */
const digestHalf = 19;

export const haveSameFirstHalf = (one: string, other: string): boolean =>
  one.slice(0, digestHalf) === other.slice(0, digestHalf);

/** A 128-bit hash of a value, formatted as a uuid of PostgreSQL. */
export function digestOf(value: unknown): string {
  const hex = hash("sha256", JSON.stringify(value), "hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${parts.join("-")}-${hex.slice(20, 32)}`;
}
