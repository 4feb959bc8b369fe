import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof Page =>
  class extends Page {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      slug: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      title: requiredColumn(DataTypes.TEXT),
      body: requiredColumn(DataTypes.TEXT),
      bodyHtml: requiredColumn(DataTypes.TEXT),
      renderer: requiredColumn(DataTypes.SMALLINT),
      renderRules: withDefault(DataTypes.TEXT, ""),
      navOrder: optionalColumn(DataTypes.INTEGER),
      audience: requiredColumn(DataTypes.TEXT),
      status: requiredColumn(DataTypes.TEXT),
      revision: withDefault(DataTypes.INTEGER, 1),
      createdAt: transactionTimeColumn(),
      updatedAt: transactionTimeColumn(),
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
