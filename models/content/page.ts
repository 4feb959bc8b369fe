import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { identity, optional, required, transactionTime, unique, withDefault } from "../columns.ts";

/** The rungs of the ladder that a page can be kept for. */
export type PageAudience = "anonymous" | "logged_in" | "staff";

/** A page of the site, such as its rules. */
export class Page extends Model<InferAttributes<Page>, InferCreationAttributes<Page>> {
  declare id: CreationOptional<number>;
  declare slug: string;
  declare title: string;
  /** Markdown, as it was written. */
  declare body: string;
  /** What the markdown renders to, safe to be shown. */
  declare bodyHtml: string;
  /** Version of the renderer that made the HTML. */
  declare renderer: number;
  /** Digest of the configured rules that it was made by. */
  declare renderRules: CreationOptional<string>;
  /** Its place in the navigation; null for a page that is not in it. */
  declare navOrder: number | null;
  declare audience: PageAudience;
  declare status: "draft" | "published";
  /** Counts the changes. */
  declare revision: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof Page =>
  class extends Page {}.init(
    {
      id: identity(DataTypes.INTEGER),
      slug: unique(required(DataTypes.TEXT)),
      title: required(DataTypes.TEXT),
      body: required(DataTypes.TEXT),
      bodyHtml: required(DataTypes.TEXT),
      renderer: required(DataTypes.SMALLINT),
      renderRules: withDefault(DataTypes.TEXT, ""),
      navOrder: optional(DataTypes.INTEGER),
      audience: required(DataTypes.TEXT),
      status: required(DataTypes.TEXT),
      revision: withDefault(DataTypes.INTEGER, 1),
      createdAt: transactionTime(),
      updatedAt: transactionTime(),
    },
    {
      sequelize,
      modelName: "Page",
      tableName: "pages",
      scopes: {
        /** What callers of these audiences may see. */
        visibleTo: (audiences: readonly PageAudience[]) => ({
          where: { status: "published", audience: [...audiences] },
        }),
      },
    },
  );
