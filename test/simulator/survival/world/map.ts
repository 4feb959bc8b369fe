import type { RandomSource } from "../../random.ts";
import { encodePng } from "../../sources/png.ts";
import { sha256 } from "../../sources/source.ts";
import { pickPosition } from "./players.ts";

export interface Monument {
  /** The label on the map. Several monuments may have the same label. */
  readonly label: string;
  readonly name: string;
  readonly x: number;
  readonly z: number;
}

export interface MapImage {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
  readonly oceanMargin: number;
  readonly background: string;
}

const labels: readonly [label: string, name: string, instances: number][] = [
  ["launchsite", "Launch Site", 1],
  ["airfield_display_name", "Airfield", 1],
  ["outpost", "Outpost", 1],
  ["bandit_camp", "Bandit Camp", 1],
  ["dome_monument_name", "The Dome", 1],
  ["large_oil_rig", "Large Oil Rig", 1],
  ["oil_rig_small", "Oil Rig", 1],
  ["harbor_display_name", "Harbor", 2],
  ["gas_station", "Oxum's Gas Station", 4],
  ["supermarket", "Abandoned Supermarket", 3],
  ["mining_quarry_stone_display_name", "Stone Quarry", 2],
  ["train_tunnel_display_name", "Train Tunnel", 3],
];

export const placeMonuments = (worldSize: number, random: RandomSource): Monument[] =>
  labels.flatMap(([label, name, instances]) =>
    Array.from({ length: instances }, () => {
      const { x, z } = pickPosition(worldSize, random);
      return { label, name, x, z };
    }),
  );

const background = "#12404a";
const ocean = [0x12, 0x40, 0x4a, 0xff] as const;

/**
 * Draws a map as the game does: an island in an ocean, north at the top, with a margin of water.
 */
export function renderMap(seed: string, side: number, oceanMargin: number): MapImage {
  const width = side + 2 * oceanMargin;
  const rgba = new Uint8Array(width * width * 4);
  const shade = Number.parseInt(sha256(seed).slice(0, 6), 16);
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) rgba.set(pixel(x, y, width, shade), (y * width + x) * 4);
  }
  const bytes = encodePng(width, width, rgba);
  const size = { width, height: width, oceanMargin, background };
  return { bytes, hash: sha256(bytes), mime: "image/png", ...size };
}

function pixel(x: number, y: number, width: number, shade: number): readonly number[] {
  const [dx, dy] = [x / width - 0.5, y / width - 0.5];
  const coast = 0.36 + 0.05 * Math.sin(Math.atan2(dy, dx) * (3 + (shade % 5)) + (shade % 7));
  if (Math.hypot(dx, dy) > coast) return ocean;
  const height = Math.floor(24 * Math.sin(x / 9 + shade) * Math.cos(y / 7));
  return [0x60 + height, 0x7a + height, 0x40, 0xff];
}

/**
 * Returns the cell of the game's grid: letters from west to east, numbers from north to south.
 * @returns null outside the map
 */
export function gridOf(worldSize: number, x: number, z: number): string | null {
  const cells = Math.floor((worldSize * 7) / 1_024);
  const cell = worldSize / cells;
  const column = Math.floor((x + worldSize / 2) / cell);
  const row = cells - 1 - Math.floor((z + worldSize / 2) / cell);
  if (column < 0 || row < 0 || column >= cells || row >= cells) return null;
  return `${letters(column)}${row}`;
}

/** Returns the letters of a column: A to Z, then AA, AB and so on. */
const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : "") +
  String.fromCodePoint(65 + (column % 26));
