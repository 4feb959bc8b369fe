import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, optional, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof AtlasRegion =>
  class extends AtlasRegion {}.init(
    {
      generation: key(DataTypes.INTEGER),
      id: key(DataTypes.INTEGER),
      key: required(DataTypes.TEXT),
      facet: required(DataTypes.TEXT),
      name: optional(DataTypes.TEXT),
      type: optional(DataTypes.TEXT),
      parent: optional(DataTypes.TEXT),
      level: required(DataTypes.INTEGER),
      priority: required(DataTypes.INTEGER),
      go: optional(DataTypes.JSONB),
      entrance: optional(DataTypes.JSONB),
      music: optional(DataTypes.TEXT),
      rune: optional(DataTypes.TEXT),
      guarded: required(DataTypes.BOOLEAN),
      housing: required(DataTypes.BOOLEAN),
      logoutDelay: required(DataTypes.BOOLEAN),
      minExpansion: optional(DataTypes.TEXT),
      maxExpansion: optional(DataTypes.TEXT),
      area: required(DataTypes.DOUBLE),
    },
    { sequelize, modelName: "AtlasRegion", tableName: "atlas_regions" },
  );
