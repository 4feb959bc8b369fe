import {
  type Attributes,
  type CreationAttributes,
  literal,
  Op,
  type WhereOptions,
} from "sequelize";

import type { Asset } from "../../../models/assets/asset.ts";
import type { CreatureArt } from "../../../models/assets/creature-art.ts";
import type { AtlasCreature } from "../../../models/atlas/atlas-creature.ts";
import type { AtlasSpawner } from "../../../models/atlas/atlas-spawner.ts";
import { type DatabaseHolder, query } from "../database/query.ts";

/** Inserts an asset. By default it is in the catalog, and its picture was never fetched. */
export const buildAsset = (
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<Asset>> & Pick<Asset, "key">,
): Promise<Asset> => {
  const family = given.key.split(":")[0] ?? "";
  return context.models.Asset.create({ family, image: null, inCatalogue: true, ...given });
};

const shownGeneration = async ({ context }: DatabaseHolder): Promise<number> =>
  (await context.models.AtlasState.read()).generation;

const shown = literal("(select generation from atlas_state)");

/**
 * Selects rows of the atlas that nobody sees: rows of an import in progress, and old rows that are not removed
 * yet.
 */
export const hiddenAtlas = { generation: { [Op.ne]: shown } } as const;

/** Counts the spawners that nobody sees. */
export const countHiddenSpawners = ({ context }: DatabaseHolder): Promise<number> =>
  context.models.AtlasSpawner.count({ where: hiddenAtlas });

/** Counts the staged rows of an import. Their tables have no model. */
export async function countStagedRows(
  on: DatabaseHolder,
  stage: "asset_stage" | "cliloc_stage",
): Promise<number> {
  const [row] = await query<{ staged: number }>(on, `select count(*) as staged from ${stage}`);
  return row?.staged ?? 0;
}

/** Returns assets, ordered by key. */
export const assetsOf = (
  { context }: DatabaseHolder,
  where: WhereOptions<Asset> = {},
): Promise<Asset[]> => context.models.Asset.findAll({ where, order: ["key"], raw: true });

/** Returns the numbers of visible imported rows, and when each source was last applied. */
export async function readImportCounts({ context }: DatabaseHolder) {
  const { Asset: Key, AtlasSpawner: Spawner, Cliloc, ImportedSource } = context.models;
  return {
    held: {
      keys: await Key.count(),
      pictures: await Key.count({ where: { image: { [Op.not]: null } } }),
      texts: await Cliloc.count(),
      spawners: await Spawner.count({ where: { generation: { [Op.eq]: shown } } }),
    },
    applied: await ImportedSource.findAll({
      attributes: ["kind", "importedAt"],
      order: ["kind"],
      raw: true,
    }),
  };
}

/** Inserts creatures into the visible atlas. Their bodies were not looked up. */
export const buildCreatures = async (
  on: DatabaseHolder,
  types: readonly string[],
): Promise<AtlasCreature[]> => {
  const blank = { generation: await shownGeneration(on), status: null, body: null };
  const creatures = types.map((type) => ({ ...blank, typeKey: type.toLowerCase(), type }));
  return on.context.models.AtlasCreature.bulkCreate(creatures);
};

/** Changes all creatures of the atlas. */
export const changeCreatures = async (
  { context }: DatabaseHolder,
  changes: Partial<Attributes<AtlasCreature>>,
): Promise<void> => void (await context.models.AtlasCreature.update(changes, { where: {} }));

/** Sets the picture that an operator chose. Does not check that the picture exists. */
export const chooseArt = async (
  { context }: DatabaseHolder,
  typeKey: string,
  operatorKey: string,
): Promise<CreatureArt> => (await context.models.CreatureArt.upsert({ typeKey, operatorKey }))[0];

/** Inserts a spawner on a facet of its own. */
export async function buildSpawner(
  on: DatabaseHolder,
  facet: string,
  types: readonly string[],
): Promise<AtlasSpawner> {
  const { AtlasFacet, AtlasSpawner: Spawner, AtlasEntry } = on.context.models;
  const generation = await shownGeneration(on);
  const id = 1_000_000;
  const count = types.length;
  const counts = { regions: 0, rects: 0, spawners: 1, entries: count, total: count };
  await AtlasFacet.create({ generation, name: facet, ...counts });
  const entry = { generation, spawnerId: id, max: 1, probability: null };
  const entries = types.map((type, place) => {
    const typeKey = type.toLowerCase();
    return { ...entry, place, type, typeKey };
  });
  await AtlasEntry.bulkCreate(entries);
  return Spawner.create({ ...blankSpawner, generation, id, facet, count });
}

const blankSpawner = {
  key: "here",
  name: null,
  x: 1,
  y: 1,
  z: 0,
  rect: null,
  homeRange: 5,
  walkRange: 5,
  minDelaySec: 1,
  maxDelaySec: 1,
  running: true,
  region: null,
};
