import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

/** A searchable label with the number of its listings. */
export class ListingName extends Model<
  InferAttributes<ListingName>,
  InferCreationAttributes<ListingName>
> {
  declare labelId: number;
  declare listings: number;
  declare searchName: string | null;
}

export const defineModel = (sequelize: Sequelize): typeof ListingName =>
  class extends ListingName {}.init(
    {
      labelId: primaryKeyColumn(DataTypes.INTEGER),
      listings: requiredColumn(DataTypes.INTEGER),
      searchName: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "ListingName", tableName: "listing_names" },
  );
