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
import { key, optional, required, transactionTime } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof WikiRevision =>
  class extends WikiRevision {}.init(
    {
      pageId: key(DataTypes.INTEGER),
      revision: key(DataTypes.INTEGER),
      title: required(DataTypes.TEXT),
      body: required(DataTypes.TEXT),
      authorId: required(DataTypes.INTEGER),
      note: optional(DataTypes.TEXT),
      createdAt: transactionTime(),
    },
    { sequelize, modelName: "WikiRevision", tableName: "wiki_revisions" },
  );
