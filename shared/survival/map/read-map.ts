import type { SurvivalMapImage } from "../../../models/survival/survival-map-image.ts";
import type { Context } from "../../platform/context.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { toPlainText } from "../../platform/texts/plain-text.ts";
import { toVisibleSeed } from "../server-locks.ts";
import type { MapInfoPayload, ServerRecord } from "../servers/read-servers.ts";
import { listVisibleLayers, listVisibleMonuments, findLiveAccess } from "../visibility/map-view.ts";
import type { CallerAccess, MapLayer } from "../visibility/visibility.ts";

export type MapImageMetadata = Pick<
  SurvivalMapImage,
  "hash" | "width" | "height" | "oceanMargin" | "background"
>;

export interface VisibleMonument {
  readonly label: string;
  readonly name: string | null;
  readonly x: number;
  readonly z: number;
  readonly grid: string | null;
}

/** The map of the current world, as one caller sees it. */
export interface VisibleMap {
  readonly worldSize: number | null;
  readonly seed: string | null;
  readonly image: MapImageMetadata | null;
  readonly grid: MapGrid | null;
  readonly monuments: readonly VisibleMonument[];
  readonly layers: Readonly<Record<MapLayer, boolean>>;
  /** True if there is a live map for the caller. */
  readonly live: boolean;
}

type Parts = Pick<Context, "models">;

export async function readMap(
  record: ServerRecord,
  view: CallerAccess,
  context: Parts,
): Promise<VisibleMap> {
  const { visibility, override, rung } = view;
  const world = worldOf(record);
  const monuments = listVisibleMonuments(override, visibility, rung, record.map?.monuments ?? []);
  return {
    ...world,
    image: await readFacts(record, context),
    grid: world.worldSize === null ? null : gridOf(world.worldSize),
    monuments: monuments.map((monument) => shownMonument(monument, world)),
    layers: listVisibleLayers(visibility, rung),
    live: findLiveAccess(visibility, rung) === "open",
  };
}

type World = Pick<VisibleMap, "worldSize" | "seed">;

function worldOf({ server, map, hello }: ServerRecord): World {
  return {
    worldSize: map?.worldSize ?? hello?.world.size ?? null,
    seed: toVisibleSeed(server, map?.seed ?? hello?.world.seed),
  };
}

const longestName = 128;

const shownMonument = (
  { label, name, x, z }: MapInfoPayload["monuments"][number],
  { worldSize }: World,
): VisibleMonument => ({
  label,
  name: toPlainText(name ?? "", longestName) || null,
  x,
  z,
  grid: worldSize === null ? null : formatGridReference({ x, z }, worldSize),
});

/** Reads the image of the current world only, because an older world's image would be misleading. */
async function readFacts(
  { server, wipe }: ServerRecord,
  { models }: Parts,
): Promise<MapImageMetadata | null> {
  if (!wipe?.mapHash) return null;
  return models.SurvivalMapImage.findOne({
    where: { serverId: server.id, hash: wipe.mapHash },
    attributes: ["hash", "width", "height", "oceanMargin", "background"],
    raw: true,
  });
}

/** Returns the hash of the current world's map image. @throws AppError missing without an image */
export function findCurrentMapHash({ wipe }: Pick<ServerRecord, "wipe">): string {
  if (!wipe?.mapHash) throw notFoundError("The site has no picture of this map");
  return wipe.mapHash;
}

/** Checks that an image of the server is stored, for any world. @throws AppError missing if it is not */
export async function requireStoredMapImage(
  serverId: number,
  hash: string,
  { models }: Parts,
): Promise<void> {
  const held = await models.SurvivalMapImage.count({ where: { serverId, hash } });
  if (held === 0) throw notFoundError("The site has no such picture");
}

/** @throws AppError missing if no image of the server has this hash */
export async function readStoredMapImage(
  serverId: number,
  hash: string,
  { models }: Parts,
): Promise<Pick<SurvivalMapImage, "mime" | "bytes">> {
  const image = await models.SurvivalMapImage.findOne({
    where: { serverId, hash },
    attributes: ["mime", "bytes"],
    raw: true,
  });
  if (!image) throw notFoundError("The site has no such picture");
  return image;
}

/** Meters east and north of the middle of the map. */
interface MapPoint {
  readonly x: number;
  readonly z: number;
}

interface MapGrid {
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
export function formatGridColumn(column: number): string {
  const last = String.fromCodePoint(65 + (column % 26));
  return column < 26 ? last : formatGridColumn(Math.floor(column / 26) - 1) + last;
}

/** Returns a grid reference, with rows from the north; null outside the grid, where ships may be. */
export function formatGridReference({ x, z }: MapPoint, worldSize: number): string | null {
  const grid = gridOf(worldSize);
  if (!grid) return null;
  const column = cellOf(x + worldSize / 2, worldSize, grid);
  const fromSouth = cellOf(z + worldSize / 2, worldSize, grid);
  if (column === null || fromSouth === null) return null;
  return `${formatGridColumn(column)}${grid.cells - 1 - fromSouth}`;
}

/** The far edge belongs to the last cell, so that the corners of the map have cells. */
function cellOf(distance: number, worldSize: number, { cells, cellSize }: MapGrid): number | null {
  if (!(distance >= 0 && distance <= worldSize)) return null;
  return Math.min(Math.floor(distance / cellSize), cells - 1);
}

interface MapImageSize {
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
