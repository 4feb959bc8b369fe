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
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";
import type { WikiCategory } from "./wiki-category.ts";
import type { WikiRedirect } from "./wiki-redirect.ts";

/** A heading of a page, with the anchor for links. */
export interface TocEntry {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

/** The current state of a wiki page; revisions contain its history. */
export class WikiPage extends Model<InferAttributes<WikiPage>, InferCreationAttributes<WikiPage>> {
  declare id: CreationOptional<number>;
  declare slug: string;
  declare title: string;
  declare categoryId: number | null;
  declare tags: CreationOptional<string[]>;
  /** Markdown source. */
  declare body: string;
  /** Rendered HTML, sanitized. */
  declare bodyHtml: string;
  declare toc: readonly TocEntry[];
  /** Version of the renderer. */
  declare renderer: number;
  /** Digest of the render rules. */
  declare renderRules: CreationOptional<string>;
  /** Folded title, for searches in lists. */
  declare folded: string;
  declare status: "draft" | "published";
  /** The newest revision. An editor must name the revision that the edit is based on. */
  declare revision: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  /** Kept after the user was deleted, so there is no foreign key. */
  declare updatedBy: number;
  declare category?: NonAttribute<WikiCategory | null>;
  declare updater?: NonAttribute<User | null>;
  declare redirects?: NonAttribute<WikiRedirect[]>;
}

const category = { association: "category", attributes: ["slug", "name"] };
const updater = { association: "updater", attributes: ["id", "username"] };

export const associations: readonly ModelAssociation[] = [
  {
    owner: "User",
    as: "updater",
    foreignKey: "updatedBy",
    onDelete: "NO ACTION",
    isUnconstrained: true,
  },
  { owner: "WikiCategory", as: "category", foreignKey: "categoryId", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof WikiPage =>
  class extends WikiPage {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      slug: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      title: requiredColumn(DataTypes.TEXT),
      categoryId: optionalColumn(DataTypes.INTEGER),
      tags: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      body: requiredColumn(DataTypes.TEXT),
      bodyHtml: requiredColumn(DataTypes.TEXT),
      toc: requiredColumn(DataTypes.JSONB),
      renderer: requiredColumn(DataTypes.SMALLINT),
      renderRules: withDefault(DataTypes.TEXT, ""),
      folded: requiredColumn(DataTypes.TEXT),
      status: requiredColumn(DataTypes.TEXT),
      revision: withDefault(DataTypes.INTEGER, 1),
      createdAt: transactionTimeColumn(),
      updatedAt: transactionTimeColumn(),
      updatedBy: requiredColumn(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "WikiPage",
      tableName: "wiki_pages",
      scopes: {
        /** Pages that everybody may see. */
        visible: { where: { status: "published" } },
        /** Adds the category and the last editor. */
        listed: { include: [category, updater] },
        /** Adds the category, the last editor and the former slugs. */
        whole: {
          include: [
            category,
            updater,
            {
              association: "redirects",
              attributes: ["slug"],
              where: { byTitle: false },
              separate: true,
              order: ["slug"],
            },
          ],
        },
      },
    },
  );
