/** Metres east and north of the middle of the map. */
export interface MapPoint {
  readonly x: number;
  readonly z: number;
}

export interface MapGrid {
  /** How many cells a side of the map has. */
  readonly cells: number;
  /** Metres. */
  readonly cellSize: number;
}

/** The grid of a square map; null where the size is none that a map has. */
export function gridOf(worldSize: number): MapGrid | null {
  const cells = Math.floor((worldSize * 7) / 1024);
  return cells >= 1 && Number.isFinite(cells) ? { cells, cellSize: worldSize / cells } : null;
}

/** What the game calls a column of its grid, from the west: A to Z, then AA. */
export function columnName(column: number): string {
  const last = String.fromCodePoint(65 + (column % 26));
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last;
}

/**
 * The grid reference of a point: its column, and its row counted from the north. Null beside the
 * grid, where ships, helicopters and sleepers may well be.
 */
export function gridReference({ x, z }: MapPoint, worldSize: number): string | null {
  const grid = gridOf(worldSize);
  if (!grid) return null;
  const column = cellOf(x + worldSize / 2, worldSize, grid);
  const fromSouth = cellOf(z + worldSize / 2, worldSize, grid);
  if (column === null || fromSouth === null) return null;
  return `${columnName(column)}${grid.cells - 1 - fromSouth}`;
}

/** The far edge is part of the last cell, so that the corners of the map have their cells. */
function cellOf(distance: number, worldSize: number, { cells, cellSize }: MapGrid): number | null {
  if (!(distance >= 0 && distance <= worldSize)) return null;
  return Math.min(Math.floor(distance / cellSize), cells - 1);
}

export interface MapImageSize {
  readonly width: number;
  readonly height: number;
  /** Pixels of sea around the world. */
  readonly oceanMargin: number;
}

/** Where a point of the world is on a picture of it, from the upper left corner. */
export function pixelOf(
  { x, z }: MapPoint,
  { width, height, oceanMargin }: MapImageSize,
  worldSize: number,
): { readonly px: number; readonly py: number } {
  const scale = (width - 2 * oceanMargin) / worldSize;
  return {
    px: (x + worldSize / 2) * scale + oceanMargin,
    py: height - ((z + worldSize / 2) * scale + oceanMargin),
  };
}
