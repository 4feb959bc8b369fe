import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { singleRowKey, optionalColumn, withDefault } from "../columns.ts";

/** The number of vendors and listings of the market, and its version. A single row. */
export class MarketMeta extends Model<
  InferAttributes<MarketMeta>,
  InferCreationAttributes<MarketMeta>
> {
  declare id: CreationOptional<number>;
  /** Incremented by every change of the listings. */
  declare version: CreationOptional<number>;
  declare vendors: CreationOptional<number>;
  declare items: CreationOptional<number>;
  /** The game whose complete market was stored last. */
  declare snapshotOf: string | null;
  /** True while a writer fills an empty market. Triggers then do not count listings. */
  declare countsPaused: CreationOptional<boolean>;
  /** True if the next writer must split or merge segments of the sort orders. */
  declare segmentsUneven: CreationOptional<boolean>;
}

export const defineModel = (sequelize: Sequelize): typeof MarketMeta =>
  class extends MarketMeta {}.init(
    {
      id: singleRowKey(),
      version: withDefault(DataTypes.BIGINT, 0),
      vendors: withDefault(DataTypes.INTEGER, 0),
      items: withDefault(DataTypes.INTEGER, 0),
      snapshotOf: optionalColumn(DataTypes.TEXT),
      countsPaused: withDefault(DataTypes.BOOLEAN, false),
      segmentsUneven: withDefault(DataTypes.BOOLEAN, true),
    },
    { sequelize, modelName: "MarketMeta", tableName: "market_meta" },
  );
