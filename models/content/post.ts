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
import { statementStart } from "../queries/clock.ts";

/** A news post. A published post with a future time is scheduled. */
export class Post extends Model<InferAttributes<Post>, InferCreationAttributes<Post>> {
  declare id: CreationOptional<number>;
  declare slug: string;
  declare title: string;
  /** Null to use the beginning of the body. */
  declare excerpt: string | null;
  declare autoExcerpt: string;
  /** Markdown source. */
  declare body: string;
  /** Rendered HTML, sanitized. */
  declare bodyHtml: string;
  /** Version of the renderer. */
  declare renderer: number;
  /** Digest of the render rules. */
  declare renderRules: CreationOptional<string>;
  declare imageUrl: string | null;
  declare tags: CreationOptional<string[]>;
  /** Folded title and excerpt, for searches in lists. */
  declare folded: string;
  declare status: "draft" | "published";
  declare pinned: CreationOptional<boolean>;
  /** Kept after the user was deleted, so there is no foreign key. */
  declare authorId: number;
  declare publishedAt: Date | null;
  /** Time when the post was announced, which happens once; null before. */
  declare announcedAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  /** Incremented by each change. */
  declare revision: CreationOptional<number>;
  declare author?: NonAttribute<User | null>;
  /** True for a scheduled post. Only the scope `listed` selects it. */
  declare isScheduled?: NonAttribute<boolean>;

  /** Marks a due post as announced. @returns null if the post is not visible or was announced before */
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

export const associations: readonly ModelAssociation[] = [
  {
    owner: "User",
    as: "author",
    foreignKey: "authorId",
    onDelete: "NO ACTION",
    isUnconstrained: true,
  },
];

export const defineModel = (sequelize: Sequelize): typeof Post =>
  class extends Post {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      slug: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      title: requiredColumn(DataTypes.TEXT),
      excerpt: optionalColumn(DataTypes.TEXT),
      autoExcerpt: requiredColumn(DataTypes.TEXT),
      body: requiredColumn(DataTypes.TEXT),
      bodyHtml: requiredColumn(DataTypes.TEXT),
      renderer: requiredColumn(DataTypes.SMALLINT),
      renderRules: withDefault(DataTypes.TEXT, ""),
      imageUrl: optionalColumn(DataTypes.TEXT),
      tags: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      folded: requiredColumn(DataTypes.TEXT),
      status: requiredColumn(DataTypes.TEXT),
      pinned: withDefault(DataTypes.BOOLEAN, false),
      authorId: requiredColumn(DataTypes.INTEGER),
      publishedAt: optionalColumn(DataTypes.DATE),
      announcedAt: optionalColumn(DataTypes.DATE),
      createdAt: transactionTimeColumn(),
      updatedAt: transactionTimeColumn(),
      revision: withDefault(DataTypes.INTEGER, 1),
    },
    {
      sequelize,
      modelName: "Post",
      tableName: "posts",
      scopes: {
        /** Posts that everybody may see. */
        visible: () => ({ where: visible() }),
        draft: { where: { status: "draft" } },
        /** Published posts with a future time. */
        scheduled: () => ({ where: scheduled() }),
        /** Visible posts without an announcement. */
        due: () => ({ where: { ...visible(), announcedAt: null } }),
        /** Adds the author and `isScheduled`. */
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
