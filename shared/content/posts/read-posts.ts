import { Op, type Transaction } from "sequelize";

import type { Post } from "../../../models/content/post.ts";
import type { Models } from "../../../models/index.ts";
import { matchClientId } from "../../../models/queries/any-id.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { buildTitleCondition, type ListPage, type ListQuery } from "../list-query.ts";
import type { postStatuses } from "./publication.ts";

interface Stores {
  readonly models: Models;
}

/** Lists do not read the bodies of posts. */
const withoutBody = { exclude: ["body", "bodyHtml"] };

export interface PublicPostQuery extends ListQuery {
  readonly tag?: string | undefined;
}

/** Lists public posts: pinned posts first, then the newest. */
export async function listPublicPosts(
  { q, tag, limit, offset }: PublicPostQuery,
  { models }: Stores,
): Promise<ListPage<Post>> {
  const where = {
    ...buildTitleCondition(q),
    ...(tag !== undefined && { tags: { [Op.contains]: [tag] } }),
  };
  const order: [string, string][] = [
    ["pinned", "DESC"],
    ["publishedAt", "DESC"],
    ["id", "DESC"],
  ];
  const visible = models.Post.scope("visible");
  // The first query skips earlier pages in the index alone. Only the rows of this page are read.
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

/** @throws AppError not_found, also if the post is not public */
export async function readPublicPost(slug: string, { models }: Stores): Promise<Post> {
  const post = await models.Post.scope(["visible", "listed"]).findOne({ where: { slug } });
  if (!post) throw notFoundError();
  return post;
}

/** Returns the newest public posts with their bodies. */
export const readLatestPosts = ({ models }: Stores, limit: number): Promise<Post[]> =>
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

/** Lists all posts, newest first, without their bodies. */
export async function listPosts(
  { q, status, limit, offset }: PostQuery,
  { models }: Stores,
): Promise<ListPage<Post>> {
  const where = buildTitleCondition(q);
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

/** @throws AppError not_found */
export async function readPost(
  id: number,
  { models }: Stores,
  transaction?: Transaction,
): Promise<Post> {
  const options = { where: { id: matchClientId(id) }, ...(transaction && { transaction }) };
  const post = await models.Post.scope("listed").findOne(options);
  if (!post) throw notFoundError("Unknown post");
  return post;
}

export async function requirePost(id: number, { models }: Stores): Promise<void> {
  if ((await models.Post.count({ where: { id: matchClientId(id) } })) === 0) {
    throw notFoundError("Unknown post");
  }
}
