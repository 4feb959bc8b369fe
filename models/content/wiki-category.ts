import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { identity, required, unique } from "../columns.ts";

/** A category of the wiki; names with one slug are one category, which bears the first of them. */
export class WikiCategory extends Model<
  InferAttributes<WikiCategory>,
  InferCreationAttributes<WikiCategory>
> {
  declare id: CreationOptional<number>;
  declare slug: string;
  declare name: string;

  /** The category of a slug; of any number at once that name a new one, one makes it. */
  static async ensure(
    category: Pick<WikiCategory, "slug" | "name">,
    transaction: Transaction,
  ): Promise<WikiCategory> {
    const { slug } = category;
    await this.bulkCreate([category], { ignoreDuplicates: true, transaction });
    return this.findOne({ where: { slug }, transaction, rejectOnEmpty: true });
  }
}

export const define = (sequelize: Sequelize): typeof WikiCategory =>
  class extends WikiCategory {}.init(
    {
      id: identity(DataTypes.INTEGER),
      slug: unique(required(DataTypes.TEXT)),
      name: required(DataTypes.TEXT),
    },
    { sequelize, modelName: "WikiCategory", tableName: "wiki_categories" },
  );
