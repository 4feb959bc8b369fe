import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { identity, optional, required, transactionTime, withDefault } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof MarketSearch =>
  class extends MarketSearch {}.init(
    {
      id: identity(DataTypes.INTEGER),
      userId: required(DataTypes.INTEGER),
      name: required(DataTypes.TEXT),
      query: required(DataTypes.JSONB),
      term: required(DataTypes.TEXT),
      enabled: withDefault(DataTypes.BOOLEAN, true),
      createdAt: transactionTime(),
      lastMatchAt: optional(DataTypes.DATE),
      lastPushAt: optional(DataTypes.DATE),
    },
    { sequelize, modelName: "MarketSearch", tableName: "market_searches" },
  );
