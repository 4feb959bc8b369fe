import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  formatGridColumn,
  gridOf,
  formatGridReference,
  pixelOf,
} from "../../shared/survival/map/read-map.ts";

describe("the grid of the map", () => {
  it.each([
    [4000, 27, 148.148],
    [4250, 29, 146.552],
    [4500, 30, 150],
    [6000, 41, 146.341],
  ])(
    "has, for a world of %i meters, %i cells per side, of %f meters each",
    (worldSize, cells, cellSize) => {
      const grid = gridOf(worldSize);
      expect(grid?.cells).toBe(cells);
      expect(grid?.cellSize).toBeCloseTo(cellSize, 3);
    },
  );

  it.each([0, -4500, 100, Number.NaN, Number.POSITIVE_INFINITY])(
    "is null for a world size of %d",
    (worldSize) => {
      expect(gridOf(worldSize)).toBeNull();
      expect(formatGridReference({ x: 0, z: 0 }, worldSize)).toBeNull();
    },
  );

  it.each([
    ["P14", 0, 0],
    ["A0", -2250, 2250],
    ["A0", -2249, 2249],
    ["AD29", 2250, -2250],
    ["AD29", 2249, -2249],
    ["A29", -2250, -2250],
    ["AD0", 2250, 2250],
    ["Z0", 1501, 2101],
    ["AA1", 1650, 2099],
    [null, -2300, 0],
    [null, 2250.01, 0],
    [null, 0, -2251],
    [null, Number.NaN, 0],
    [null, 0, Number.NEGATIVE_INFINITY],
  ])("has, for a world of 4500 meters, the cell %s at %d, %d", (reference, x, z) => {
    expect(formatGridReference({ x, z }, 4500)).toBe(reference);
  });

  it("names its columns A to Z, then AA", () => {
    expect([0, 25, 26, 40, 51, 52, 701, 702].map(formatGridColumn)).toEqual(
      "A Z AA AO AZ BA ZZ AAA".split(" "),
    );
  });

  it("has each point of the world in exactly one cell, which contains it", () => {
    const inside = fc.double({ min: -0.5, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 6000 }), inside, inside, (worldSize, x, z) => {
        const point = { x: x * worldSize, z: z * worldSize };
        const [, letters = "", row = ""] =
          /^([A-Z]+)(\d+)$/.exec(formatGridReference(point, worldSize) ?? "") ?? [];
        const { cells, cellSize } = gridOf(worldSize) ?? { cells: 0, cellSize: 0 };
        const column = Array.from({ length: cells }, (_, at) => formatGridColumn(at)).indexOf(
          letters,
        );
        const west = column * cellSize - worldSize / 2;
        const north = worldSize / 2 - Number(row) * cellSize;
        const slack = 1e-6;
        expect(column).toBeGreaterThanOrEqual(0);
        expect(Number(row)).toBeLessThan(cells);
        expect(point.x).toBeGreaterThanOrEqual(west - slack);
        expect(point.x).toBeLessThanOrEqual(west + cellSize + slack);
        expect(point.z).toBeLessThanOrEqual(north + slack);
        expect(point.z).toBeGreaterThanOrEqual(north - cellSize - slack);
      }),
    );
  });
});

describe("a point of the world", () => {
  const image = { width: 3000, height: 3000, oceanMargin: 500 };

  it.each([
    [0, 0, 1500, 1500],
    [-2000, 2000, 500, 500],
    [2000, -2000, 2500, 2500],
    [-2000, -2000, 500, 2500],
    [2400, 0, 2700, 1500],
  ])("at x and z of %d, %d is at the pixel %d, %d of the map image", (x, z, px, py) => {
    expect(pixelOf({ x, z }, image, 4000)).toEqual({ px, py });
  });
});
