import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  type NonAttribute,
  Op,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { User } from "../auth/user.ts";
import { identity, optional, required, transactionTime, unique, withDefault } from "../columns.ts";
import { statementStart } from "../queries/clock.ts";
import type { Tie } from "../tie.ts";

/** A post of the news. One that is published with a time to come is scheduled. */
export class Post extends Model<InferAttributes<Post>, InferCreationAttributes<Post>> {
  declare id: CreationOptional<number>;
  declare slug: string;
  declare title: string;
  /** Null where the beginning of the body stands in for it. */
  declare excerpt: string | null;
  declare autoExcerpt: string;
  /** Markdown, as it was written. */
  declare body: string;
  /** What the markdown renders to, safe to be shown. */
  declare bodyHtml: string;
  /** Version of the renderer that made the HTML. */
  declare renderer: number;
  /** Digest of the configured rules that it was made by. */
  declare renderRules: CreationOptional<string>;
  declare imageUrl: string | null;
  declare tags: CreationOptional<string[]>;
  /** Folded title and excerpt, in which lists are searched. */
  declare folded: string;
  declare status: "draft" | "published";
  declare pinned: CreationOptional<boolean>;
  /** Kept when the account is deleted, so no foreign key. */
  declare authorId: number;
  declare publishedAt: Date | null;
  /** When followers were told, once in the life of the post. */
  declare announcedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  /** Counts the changes. */
  declare revision: CreationOptional<number>;
  declare author?: NonAttribute<User | null>;
  /** Read by the scope `listed`. */
  declare isScheduled?: NonAttribute<boolean>;

  /**
   * Marks a post that is due as announced. Of any number at once, one gets the row.
   * @returns null when it is no post to be seen, or was announced before
   */
  static async announceOnce(id: number, transaction: Transaction): Promise<Post | null> {
    const [, [announced]] = await this.scope("due").update(
      { announcedAt: statementStart() },
      { where: { id }, transaction, returning: true },
    );
    return announced ?? null;
  }
}

const published = { status: "published" };
const visible = () => ({ ...published, publishedAt: { [Op.lte]: statementStart() } });
const scheduled = () => ({ ...published, publishedAt: { [Op.gt]: statementStart() } });

export const ties: readonly Tie[] = [
  {
    owner: "User",
    as: "author",
    foreignKey: "authorId",
    onDelete: "NO ACTION",
    isUnconstrained: true,
  },
];

export const define = (sequelize: Sequelize): typeof Post =>
  class extends Post {}.init(
    {
      id: identity(DataTypes.INTEGER),
      slug: unique(required(DataTypes.TEXT)),
      title: required(DataTypes.TEXT),
      excerpt: optional(DataTypes.TEXT),
      autoExcerpt: required(DataTypes.TEXT),
      body: required(DataTypes.TEXT),
      bodyHtml: required(DataTypes.TEXT),
      renderer: required(DataTypes.SMALLINT),
      renderRules: withDefault(DataTypes.TEXT, ""),
      imageUrl: optional(DataTypes.TEXT),
      tags: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      folded: required(DataTypes.TEXT),
      status: required(DataTypes.TEXT),
      pinned: withDefault(DataTypes.BOOLEAN, false),
      authorId: required(DataTypes.INTEGER),
      publishedAt: optional(DataTypes.DATE),
      announcedAt: optional(DataTypes.DATE),
      createdAt: transactionTime(),
      updatedAt: transactionTime(),
      revision: withDefault(DataTypes.INTEGER, 1),
    },
    {
      sequelize,
      modelName: "Post",
      tableName: "posts",
      scopes: {
        /** What everybody may see. */
        visible: () => ({ where: visible() }),
        draft: { where: { status: "draft" } },
        /** What everybody may see once its time has come. */
        scheduled: () => ({ where: scheduled() }),
        /** What is to be announced. */
        due: () => ({ where: { ...visible(), announcedAt: null } }),
        /** With its author, and whether its time is still to come. */
        listed: {
          attributes: {
            include: [
              [
                literal(
                  `"Post"."status" = 'published' and "Post"."published_at" > statement_timestamp()`,
                ),
                "isScheduled",
              ],
            ],
            exclude: ["renderer", "renderRules", "folded", "announcedAt"],
          },
          include: [{ association: "author", attributes: ["id", "username"] }],
        },
      },
    },
  );
