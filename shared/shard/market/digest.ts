import { hash } from "node:crypto";

/** A digest of the first half of one and the second half of the other, so that each half tells of one. */
export const joinDigests = (one: string, other: string): string =>
  one.slice(0, digestHalf) + other.slice(digestHalf);

/** Characters of a digest's first half, its hyphens among them. */
const digestHalf = 19;

export const startsAlike = (one: string, other: string): boolean =>
  one.slice(0, digestHalf) === other.slice(0, digestHalf);

/** 128 bits that stand for a value, spelled as PostgreSQL spells a uuid. */
export function digestOf(value: unknown): string {
  const hex = hash("sha256", JSON.stringify(value), "hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${parts.join("-")}-${hex.slice(20, 32)}`;
}
