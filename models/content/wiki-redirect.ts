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
import {
  primaryKeyColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../columns.ts";
import type { WikiPage } from "./wiki-page.ts";

/** Another slug of a page. It refers to the page rather than a slug, so there are no chains. */
export class WikiRedirect extends Model<
  InferAttributes<WikiRedirect>,
  InferCreationAttributes<WikiRedirect>
> {
  declare slug: string;
  declare pageId: number;
  /** True if the slug comes from the page's title and was never the slug of the page. */
  declare byTitle: CreationOptional<boolean>;
  declare createdAt: CreationOptional<Date>;
  declare page?: NonAttribute<WikiPage>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "WikiPage", as: "page", foreignKey: "pageId", rows: "redirects", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof WikiRedirect =>
  class extends WikiRedirect {}.init(
    {
      slug: primaryKeyColumn(DataTypes.TEXT),
      pageId: requiredColumn(DataTypes.INTEGER),
      byTitle: withDefault(DataTypes.BOOLEAN, false),
      createdAt: transactionTimeColumn(),
    },
    { sequelize, modelName: "WikiRedirect", tableName: "wiki_redirects" },
  );
