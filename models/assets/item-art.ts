import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { clockTimeColumn, primaryKeyColumn, requiredColumn } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";

/** The result of requesting an item's artwork from the shard. */
export class ItemArt extends Model<InferAttributes<ItemArt>, InferCreationAttributes<ItemArt>> {
  declare key: string;
  declare catalog: string;
  declare outcome: "held" | "absent" | "unsupported";
  declare askedAt: CreationOptional<Date>;

  /** Replaces the results that are stored for these keys. */
  static async storeOutcomes(
    outcomes: Readonly<Record<ItemArt["outcome"], readonly string[]>>,
    catalog: string,
    transaction: Transaction,
  ): Promise<void> {
    const askedAt = clockNow();
    const rows = outcomeNames.flatMap((outcome) =>
      outcomes[outcome].map((asked) => ({ key: asked, catalog, outcome, askedAt })),
    );
    const updateOnDuplicate: UpdatedColumn[] = ["catalog", "outcome", "askedAt"];
    await this.bulkCreate(rows, { updateOnDuplicate, transaction });
  }
}

const outcomeNames = ["held", "absent", "unsupported"] as const;

type UpdatedColumn = "catalog" | "outcome" | "askedAt";

export const defineModel = (sequelize: Sequelize): typeof ItemArt =>
  class extends ItemArt {}.init(
    {
      key: primaryKeyColumn(DataTypes.TEXT),
      catalog: requiredColumn(DataTypes.TEXT),
      outcome: requiredColumn(DataTypes.TEXT),
      askedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "ItemArt", tableName: "item_art" },
  );
