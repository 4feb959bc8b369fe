import { Op, type Transaction } from "sequelize";

import type { Post } from "../../../models/content/post.ts";
import type { Models } from "../../../models/index.ts";
import { anyId } from "../../../models/queries/any-id.ts";
import { missing } from "../../platform/errors/errors.ts";
import { like, type ListPage, type ListQuery } from "../list-query.ts";
import type { postStatuses } from "./publication.ts";

interface Stores {
  readonly models: Models;
}

/** Bodies are read with one post alone. */
const withoutBody = { exclude: ["body", "bodyHtml"] };

export interface PublicPostQuery extends ListQuery {
  readonly tag?: string | undefined;
}

/** What everybody may read, the pinned first and then the newest. */
export async function listPublicPosts(
  { q, tag, limit, offset }: PublicPostQuery,
  { models }: Stores,
): Promise<ListPage<Post>> {
  const where = {
    ...like(q),
    ...(tag !== undefined && { tags: { [Op.contains]: [tag] } }),
  };
  const order: [string, string][] = [
    ["pinned", "DESC"],
    ["publishedAt", "DESC"],
    ["id", "DESC"],
  ];
  const visible = models.Post.scope("visible");
  // The posts before the page are passed over in the index, without what is shown of each.
  const [total, page] = await Promise.all([
    visible.count({ where }),
    visible.findAll({ where, attributes: ["id"], order, limit, offset, raw: true }),
  ]);
  const rows = await models.Post.scope("listed").findAll({
    where: { id: page.map(({ id }) => id) },
    attributes: withoutBody,
    order,
  });
  return { rows, total };
}

/** @throws AppError missing, also for a post that is not public */
export async function readPublicPost(slug: string, { models }: Stores): Promise<Post> {
  const post = await models.Post.scope(["visible", "listed"]).findOne({ where: { slug } });
  if (!post) throw missing();
  return post;
}

/** The newest posts that everybody may read, whole. */
export const readNews = ({ models }: Stores, limit: number): Promise<Post[]> =>
  models.Post.scope(["visible", "listed"]).findAll({
    order: [
      ["publishedAt", "DESC"],
      ["id", "DESC"],
    ],
    limit,
  });

export interface PostQuery extends ListQuery {
  readonly status?: (typeof postStatuses)[number] | undefined;
}

const scopeOf = {
  draft: "draft",
  scheduled: "scheduled",
  published: "visible",
} as const satisfies Readonly<Record<NonNullable<PostQuery["status"]>, string>>;

/** All posts, the latest first. */
export async function listPosts(
  { q, status, limit, offset }: PostQuery,
  { models }: Stores,
): Promise<ListPage<Post>> {
  const where = like(q);
  const scopes = status === undefined ? [] : [scopeOf[status]];
  const [total, rows] = await Promise.all([
    models.Post.scope(scopes).count({ where }),
    models.Post.scope([...scopes, "listed"]).findAll({
      where,
      attributes: withoutBody,
      order: [["id", "DESC"]],
      limit,
      offset,
    }),
  ]);
  return { rows, total };
}

/** @throws AppError missing */
export async function readPost(
  id: number,
  { models }: Stores,
  transaction?: Transaction,
): Promise<Post> {
  const options = { where: { id: anyId(id) }, ...(transaction && { transaction }) };
  const post = await models.Post.scope("listed").findOne(options);
  if (!post) throw missing("Unknown post");
  return post;
}

/** @throws AppError missing */
export async function requirePost(id: number, { models }: Stores): Promise<void> {
  if ((await models.Post.count({ where: { id: anyId(id) } })) === 0) throw missing("Unknown post");
}
