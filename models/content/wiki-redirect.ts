import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import { key, required, transactionTime } from "../columns.ts";
import type { WikiPage } from "./wiki-page.ts";

/** A former slug of a page. It names the page and not another slug, so there are no chains. */
export class WikiRedirect extends Model<
  InferAttributes<WikiRedirect>,
  InferCreationAttributes<WikiRedirect>
> {
  declare slug: string;
  declare pageId: number;
  declare createdAt: CreationOptional<Date>;
  declare page?: NonAttribute<WikiPage>;
}

export const defineWikiRedirect = (sequelize: Sequelize): typeof WikiRedirect =>
  class extends WikiRedirect {}.init(
    {
      slug: key(DataTypes.TEXT),
      pageId: required(DataTypes.INTEGER),
      createdAt: transactionTime(),
    },
    { sequelize, modelName: "WikiRedirect", tableName: "wiki_redirects" },
  );
