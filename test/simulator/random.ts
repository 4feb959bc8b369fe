import { createHash } from "node:crypto";

/** A random generator with a seed. The same seed gives the same numbers on each machine. */
export interface RandomSource {
  /** Returns a number in [0, 1). */
  readonly next: () => number;
  /** Returns an integer from `least` to `most`. Both limits are possible. */
  readonly int: (least: number, most: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
  /** Returns an integer from a log-normal distribution. As with prices, a few numbers are very large. */
  readonly logNormal: (median: number, sigma: number) => number;
  readonly uuid: () => string;
  /** Returns another generator. Draws of one generator do not change those of another. */
  readonly fork: (label: string) => RandomSource;
}

export function createRandom(seed: string): RandomSource {
  const next = sfc32(createHash("sha256").update(seed).digest());
  const int = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (list) => list[int(0, list.length - 1)] as (typeof list)[number],
    logNormal: (median, sigma) => Math.round(median * Math.exp(sigma * gauss(next))),
    uuid: () => uuidOf(Array.from({ length: 16 }, () => int(0, 255))),
    fork: (label) => createRandom(`${seed}/${label}`),
  };
}

/**
 * The generator "small fast counter" by Chris Doty-Humphrey. It has 128 bits of state and uses
 * 32-bit arithmetic.
 */
function sfc32(seed: Buffer): () => number {
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => seed.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}

const gauss = (next: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

function uuidOf(bytes: readonly number[]): string {
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = "89ab"[(bytes[8] as number) % 4] as string;
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20)].join("-");
}
