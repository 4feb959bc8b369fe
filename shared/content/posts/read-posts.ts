import { Op, type Transaction, type WhereOptions } from "sequelize";

import { anyId } from "../../../models/any-id.ts";
import { statementStart } from "../../../models/clock.ts";
import type { Post } from "../../../models/content/post.ts";
import type { Models } from "../../../models/index.ts";
import { missing } from "../../errors.ts";
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
  const posts = models.Post.scope(["visible", "listed"]);
  const [total, rows] = await Promise.all([
    models.Post.scope("visible").count({ where }),
    posts.findAll({ where, attributes: withoutBody, order, limit, offset }),
  ]);
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

/** All posts, the latest first. */
export async function listPosts(
  { q, status, limit, offset }: PostQuery,
  { models }: Stores,
): Promise<ListPage<Post>> {
  const where = { [Op.and]: [like(q), whereStatus(status)] };
  const [total, rows] = await Promise.all([
    models.Post.count({ where }),
    models.Post.scope("listed").findAll({
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

function whereStatus(status: PostQuery["status"]): WhereOptions {
  if (status === undefined) return {};
  if (status === "draft") return { status };
  const time =
    status === "scheduled" ? { [Op.gt]: statementStart() } : { [Op.lte]: statementStart() };
  return { status: "published", publishedAt: time };
}
