import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import type { User } from "../auth/user.ts";
import {
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
} from "../columns.ts";

/** The immutable text of a page after one change. */
export class WikiRevision extends Model<
  InferAttributes<WikiRevision>,
  InferCreationAttributes<WikiRevision>
> {
  declare pageId: number;
  declare revision: number;
  declare title: string;
  declare body: string;
  /** Kept after the user was deleted, so there is no foreign key. */
  declare authorId: number;
  /** The author's comment on the change. */
  declare note: string | null;
  declare createdAt: CreationOptional<Date>;
  declare author?: NonAttribute<User | null>;
}

export const associations: readonly ModelAssociation[] = [
  {
    owner: "User",
    as: "author",
    foreignKey: "authorId",
    onDelete: "NO ACTION",
    isUnconstrained: true,
  },
  { owner: "WikiPage", as: "page", foreignKey: "pageId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof WikiRevision =>
  class extends WikiRevision {}.init(
    {
      pageId: primaryKeyColumn(DataTypes.INTEGER),
      revision: primaryKeyColumn(DataTypes.INTEGER),
      title: requiredColumn(DataTypes.TEXT),
      body: requiredColumn(DataTypes.TEXT),
      authorId: requiredColumn(DataTypes.INTEGER),
      note: optionalColumn(DataTypes.TEXT),
      createdAt: transactionTimeColumn(),
    },
    { sequelize, modelName: "WikiRevision", tableName: "wiki_revisions" },
  );
