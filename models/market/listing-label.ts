import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { identity, optional, required, unique } from "../columns.ts";

/** The label of listings with an equal name and cliloc. */
export class ListingLabel extends Model<
  InferAttributes<ListingLabel>,
  InferCreationAttributes<ListingLabel>
> {
  declare id: CreationOptional<number>;
  declare key: string;
  declare name: string | null;
  declare cliloc: number | null;
  declare args: string | null;
  declare displayName: string | null;
}

export const define = (sequelize: Sequelize): typeof ListingLabel =>
  class extends ListingLabel {}.init(
    {
      id: identity(DataTypes.INTEGER),
      key: unique(required(DataTypes.UUID)),
      name: optional(DataTypes.TEXT),
      cliloc: optional(DataTypes.INTEGER),
      args: optional(DataTypes.TEXT),
      displayName: optional(DataTypes.TEXT),
    },
    { sequelize, modelName: "ListingLabel", tableName: "listing_labels" },
  );
