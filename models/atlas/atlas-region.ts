import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

export class AtlasRegion extends Model<
  InferAttributes<AtlasRegion>,
  InferCreationAttributes<AtlasRegion>
> {
  declare generation: number;
  declare id: number;
  declare key: string;
  declare facet: string;
  declare name: string | null;
  declare type: string | null;
  declare parent: string | null;
  declare level: number;
  declare priority: number;
  declare go: Point | null;
  declare entrance: (Point & { readonly map: string }) | null;
  declare music: string | null;
  declare rune: string | null;
  declare guarded: boolean;
  declare housing: boolean;
  declare logoutDelay: boolean;
  declare minExpansion: string | null;
  declare maxExpansion: string | null;
  declare area: number;
}

type Point = Readonly<Record<"x" | "y" | "z", number>>;

export const defineModel = (sequelize: Sequelize): typeof AtlasRegion =>
  class extends AtlasRegion {}.init(
    {
      generation: primaryKeyColumn(DataTypes.INTEGER),
      id: primaryKeyColumn(DataTypes.INTEGER),
      key: requiredColumn(DataTypes.TEXT),
      facet: requiredColumn(DataTypes.TEXT),
      name: optionalColumn(DataTypes.TEXT),
      type: optionalColumn(DataTypes.TEXT),
      parent: optionalColumn(DataTypes.TEXT),
      level: requiredColumn(DataTypes.INTEGER),
      priority: requiredColumn(DataTypes.INTEGER),
      go: optionalColumn(DataTypes.JSONB),
      entrance: optionalColumn(DataTypes.JSONB),
      music: optionalColumn(DataTypes.TEXT),
      rune: optionalColumn(DataTypes.TEXT),
      guarded: requiredColumn(DataTypes.BOOLEAN),
      housing: requiredColumn(DataTypes.BOOLEAN),
      logoutDelay: requiredColumn(DataTypes.BOOLEAN),
      minExpansion: optionalColumn(DataTypes.TEXT),
      maxExpansion: optionalColumn(DataTypes.TEXT),
      area: requiredColumn(DataTypes.DOUBLE),
    },
    { sequelize, modelName: "AtlasRegion", tableName: "atlas_regions" },
  );
