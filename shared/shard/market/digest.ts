import { hash } from "node:crypto";

/** Characters of a digest's first half, including hyphens. */
const digestHalf = 19;

export const haveSameFirstHalf = (one: string, other: string): boolean =>
  one.slice(0, digestHalf) === other.slice(0, digestHalf);

/**
 * A 128-bit hash of a value, formatted as a uuid of PostgreSQL.
 * @param groupDigest a digest whose first half replaces that of the hash, so that each half can be compared
 */
export function digestOf(value: unknown, groupDigest = ""): string {
  const hex = hash("sha256", JSON.stringify(value), "hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  const digest = `${parts.join("-")}-${hex.slice(20, 32)}`;
  const firstHalf = groupDigest.slice(0, digestHalf);
  return firstHalf + digest.slice(firstHalf.length);
}
