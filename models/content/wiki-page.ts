import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { User } from "../auth/user.ts";
import { identity, optional, required, transactionTime, unique, withDefault } from "../columns.ts";
import type { Tie } from "../tie.ts";
import type { WikiCategory } from "./wiki-category.ts";
import type { WikiRedirect } from "./wiki-redirect.ts";

/** A heading of a page, and where it is linked to. */
export interface TocEntry {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

/** A page of the wiki as it stands; how it became so is told by its revisions. */
export class WikiPage extends Model<InferAttributes<WikiPage>, InferCreationAttributes<WikiPage>> {
  declare id: CreationOptional<number>;
  declare slug: string;
  declare title: string;
  declare categoryId: number | null;
  declare tags: CreationOptional<string[]>;
  /** Markdown, as it was written. */
  declare body: string;
  /** What the markdown renders to, safe to be shown. */
  declare bodyHtml: string;
  declare toc: readonly TocEntry[];
  /** Version of the renderer that made the HTML. */
  declare renderer: number;
  /** Digest of the configured rules that it was made by. */
  declare renderRules: CreationOptional<string>;
  /** The folded title, in which lists are searched. */
  declare folded: string;
  declare status: "draft" | "published";
  /** The newest revision; who changes the page names the one they began from. */
  declare revision: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  /** Kept when the account is deleted, so no foreign key. */
  declare updatedBy: number;
  declare category?: NonAttribute<WikiCategory | null>;
  declare updater?: NonAttribute<User | null>;
  declare redirects?: NonAttribute<WikiRedirect[]>;
}

const category = { association: "category", attributes: ["slug", "name"] };
const updater = { association: "updater", attributes: ["id", "username"] };

export const ties: readonly Tie[] = [
  {
    owner: "User",
    as: "updater",
    foreignKey: "updatedBy",
    onDelete: "NO ACTION",
    isUnconstrained: true,
  },
  { owner: "WikiCategory", as: "category", foreignKey: "categoryId", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof WikiPage =>
  class extends WikiPage {}.init(
    {
      id: identity(DataTypes.INTEGER),
      slug: unique(required(DataTypes.TEXT)),
      title: required(DataTypes.TEXT),
      categoryId: optional(DataTypes.INTEGER),
      tags: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      body: required(DataTypes.TEXT),
      bodyHtml: required(DataTypes.TEXT),
      toc: required(DataTypes.JSONB),
      renderer: required(DataTypes.SMALLINT),
      renderRules: withDefault(DataTypes.TEXT, ""),
      folded: required(DataTypes.TEXT),
      status: required(DataTypes.TEXT),
      revision: withDefault(DataTypes.INTEGER, 1),
      createdAt: transactionTime(),
      updatedAt: transactionTime(),
      updatedBy: required(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "WikiPage",
      tableName: "wiki_pages",
      scopes: {
        /** What everybody may see. */
        visible: { where: { status: "published" } },
        /** With its category and who changed it last. */
        listed: { include: [category, updater] },
        /** With its former slugs too. */
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
