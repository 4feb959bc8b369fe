import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { identityColumn, optionalColumn, requiredColumn, uniqueColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof ListingLabel =>
  class extends ListingLabel {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      key: uniqueColumn(requiredColumn(DataTypes.UUID)),
      name: optionalColumn(DataTypes.TEXT),
      cliloc: optionalColumn(DataTypes.INTEGER),
      args: optionalColumn(DataTypes.TEXT),
      displayName: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "ListingLabel", tableName: "listing_labels" },
  );
