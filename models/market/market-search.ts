import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../columns.ts";

/** A saved search of a user, who is notified of new matches. */
export class MarketSearch extends Model<
  InferAttributes<MarketSearch>,
  InferCreationAttributes<MarketSearch>
> {
  declare id: CreationOptional<number>;
  declare userId: number;
  declare name: string;
  /** Filters as in the market's API. */
  declare query: Record<string, unknown>;
  /** A term that every matching listing contains. An index on it finds the searches that a listing may match. */
  declare term: string;
  declare enabled: CreationOptional<boolean>;
  declare createdAt: CreationOptional<Date>;
  declare lastMatchAt: Date | null;
  declare lastPushAt: Date | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof MarketSearch =>
  class extends MarketSearch {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      userId: requiredColumn(DataTypes.INTEGER),
      name: requiredColumn(DataTypes.TEXT),
      query: requiredColumn(DataTypes.JSONB),
      term: requiredColumn(DataTypes.TEXT),
      enabled: withDefault(DataTypes.BOOLEAN, true),
      createdAt: transactionTimeColumn(),
      lastMatchAt: optionalColumn(DataTypes.DATE),
      lastPushAt: optionalColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "MarketSearch", tableName: "market_searches" },
  );
