import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { identityColumn, requiredColumn, uniqueColumn } from "../columns.ts";

/** A category of the wiki. Names with an equal slug share one category, which has the first name. */
export class WikiCategory extends Model<
  InferAttributes<WikiCategory>,
  InferCreationAttributes<WikiCategory>
> {
  declare id: CreationOptional<number>;
  declare slug: string;
  declare name: string;

  /** Finds or creates a category; concurrent calls create only one. */
  static async ensure(
    category: Pick<WikiCategory, "slug" | "name">,
    transaction: Transaction,
  ): Promise<WikiCategory> {
    const { slug } = category;
    await this.bulkCreate([category], { ignoreDuplicates: true, transaction });
    return this.findOne({ where: { slug }, transaction, rejectOnEmpty: true });
  }
}

export const defineModel = (sequelize: Sequelize): typeof WikiCategory =>
  class extends WikiCategory {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      slug: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      name: requiredColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "WikiCategory", tableName: "wiki_categories" },
  );
