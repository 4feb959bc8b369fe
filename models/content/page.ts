import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { identity, optional, required, transactionTime, unique, withDefault } from "../columns.ts";

/** Audiences that a page can be restricted to. */
export type PageAudience = "anonymous" | "logged_in" | "staff";

export class Page extends Model<InferAttributes<Page>, InferCreationAttributes<Page>> {
  declare id: CreationOptional<number>;
  declare slug: string;
  declare title: string;
  /** Markdown source. */
  declare body: string;
  /** Rendered HTML, sanitized. */
  declare bodyHtml: string;
  /** Version of the renderer. */
  declare renderer: number;
  /** Digest of the render rules. */
  declare renderRules: CreationOptional<string>;
  /** Position in the navigation; null if it is not in the navigation. */
  declare navOrder: number | null;
  declare audience: PageAudience;
  declare status: "draft" | "published";
  /** Incremented by each change. */
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
        /** Published pages for these audiences. */
        visibleTo: (audiences: readonly PageAudience[]) => ({
          where: { status: "published", audience: [...audiences] },
        }),
      },
    },
  );
