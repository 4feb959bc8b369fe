import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, optional, required } from "../columns.ts";

/** A searchable label with the number of its listings. */
export class ListingName extends Model<
  InferAttributes<ListingName>,
  InferCreationAttributes<ListingName>
> {
  declare labelId: number;
  declare listings: number;
  declare searchName: string | null;
}

export const define = (sequelize: Sequelize): typeof ListingName =>
  class extends ListingName {}.init(
    {
      labelId: key(DataTypes.INTEGER),
      listings: required(DataTypes.INTEGER),
      searchName: optional(DataTypes.TEXT),
    },
    { sequelize, modelName: "ListingName", tableName: "listing_names" },
  );
