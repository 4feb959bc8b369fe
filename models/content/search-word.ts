import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";

/** A word of the indexed texts, which is suggested for mistyped words. */
export class SearchWord extends Model<
  InferAttributes<SearchWord>,
  InferCreationAttributes<SearchWord>
> {
  declare word: string;
  /** In Latin letters, because trigrams of other scripts depend on the server's locale. */
  declare latin: string;
}

export const define = (sequelize: Sequelize): typeof SearchWord =>
  class extends SearchWord {}.init(
    { word: key(DataTypes.TEXT), latin: required(DataTypes.TEXT) },
    { sequelize, modelName: "SearchWord", tableName: "search_words" },
  );
