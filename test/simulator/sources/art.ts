import { createRandom } from "../random.ts";
import type { RandomSource } from "../random.ts";
import { encodePng } from "./png.ts";

/**
 * The sizes of pictures in pixels. A picture of land is a full diamond; the others are figures on a
 * transparent ground.
 */
const sizes = { land: 22, item: 20, body: 32 } as const;
export type ArtFamily = keyof typeof sizes;

/** Draws a picture. It is a small symmetric figure that depends only on the key. */
export function drawArt(family: ArtFamily, id: number, hue: number): Buffer {
  const size = sizes[family];
  const random = createRandom(`${family}:${id}`);
  const colour = hue === 0 ? colourOf(random) : colourOf(createRandom(`hue:${hue}`));
  const rgba = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size / 2; x++) {
      if (!isInside(family, x, y, size) || (family !== "land" && random.chance(0.4))) continue;
      const shade = 0.6 + random.next() * 0.4;
      paint(rgba, y * size + x, colour, shade);
      paint(rgba, y * size + size - 1 - x, colour, shade);
    }
  }
  return encodePng(size, size, rgba);
}

type Colour = readonly [number, number, number];

const colourOf = (random: RandomSource): Colour => [
  random.int(60, 255),
  random.int(60, 255),
  random.int(60, 255),
];

const isInside = (family: ArtFamily, x: number, y: number, size: number): boolean =>
  family !== "land" || x + Math.min(y, size - 1 - y) >= size / 2 - 1;

function paint(rgba: Uint8Array, pixel: number, colour: Colour, shade: number): void {
  rgba.set([...colour.map((part) => Math.round(part * shade)), 255], pixel * 4);
}
