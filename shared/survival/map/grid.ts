/** Meters east and north of the middle of the map. */
export interface MapPoint {
  readonly x: number;
  readonly z: number;
}

export interface MapGrid {
  /** Number of cells per side. */
  readonly cells: number;
  /** Width of a cell in meters. */
  readonly cellSize: number;
}

/** Returns the grid of a square map; null if the size is invalid. */
export function gridOf(worldSize: number): MapGrid | null {
  const cells = Math.floor((worldSize * 7) / 1024);
  return cells >= 1 && Number.isFinite(cells) ? { cells, cellSize: worldSize / cells } : null;
}

/** Returns the game's name of a grid column, from the west: A to Z, then AA. */
export function gridColumnName(column: number): string {
  const last = String.fromCodePoint(65 + (column % 26));
  return column < 26 ? last : gridColumnName(Math.floor(column / 26) - 1) + last;
}

/** Returns a grid reference, with rows from the north; null outside the grid, where ships may be. */
export function gridReference({ x, z }: MapPoint, worldSize: number): string | null {
  const grid = gridOf(worldSize);
  if (!grid) return null;
  const column = cellOf(x + worldSize / 2, worldSize, grid);
  const fromSouth = cellOf(z + worldSize / 2, worldSize, grid);
  if (column === null || fromSouth === null) return null;
  return `${gridColumnName(column)}${grid.cells - 1 - fromSouth}`;
}

/** The far edge belongs to the last cell, so that the corners of the map have cells. */
function cellOf(distance: number, worldSize: number, { cells, cellSize }: MapGrid): number | null {
  if (!(distance >= 0 && distance <= worldSize)) return null;
  return Math.min(Math.floor(distance / cellSize), cells - 1);
}

export interface MapImageSize {
  readonly width: number;
  readonly height: number;
  /** Pixels of sea on each side of the world. */
  readonly oceanMargin: number;
}

/** Returns the pixel of a point on the map image, from the upper left corner. */
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
