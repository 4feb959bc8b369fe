import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, requiredColumn } from "../columns.ts";

/** A word of the indexed texts, which is suggested for mistyped words. */
export class SearchWord extends Model<
  InferAttributes<SearchWord>,
  InferCreationAttributes<SearchWord>
> {
  declare word: string;
  /** In Latin letters, because trigrams of other scripts depend on the server's locale. */
  declare latin: string;
}

export const defineModel = (sequelize: Sequelize): typeof SearchWord =>
  class extends SearchWord {}.init(
    { word: primaryKeyColumn(DataTypes.TEXT), latin: requiredColumn(DataTypes.TEXT) },
    { sequelize, modelName: "SearchWord", tableName: "search_words" },
  );
