import {
  col,
  type FindOptions,
  fn,
  Op,
  type Sequelize,
  type Transaction,
  type WhereOptions,
} from "sequelize";

import type { WikiCategory } from "../../../models/content/wiki-category.ts";
import type { WikiPage } from "../../../models/content/wiki-page.ts";
import type { WikiRevision } from "../../../models/content/wiki-revision.ts";
import type { Models } from "../../../models/index.ts";
import { computed, plainRows } from "../../../models/plain-rows.ts";
import { rows as rowsOf } from "../../db/rows.ts";
import { missing } from "../../errors.ts";
import { like, type ListPage, type ListQuery } from "../list-query.ts";

interface Stores {
  readonly models: Models;
}

export interface WikiQuery extends ListQuery {
  /** A category's slug. */
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
  readonly status?: WikiPage["status"] | undefined;
}

/** Pages by their titles, without their texts. */
export async function listWiki(
  { q, category, tag, status, limit, offset }: WikiQuery,
  { models }: Stores,
): Promise<ListPage<WikiPage>> {
  const where: WhereOptions = {
    ...like(q),
    ...(tag !== undefined && { tags: { [Op.contains]: [tag] } }),
    ...(status !== undefined && { status }),
    ...(category !== undefined && { "$category.slug$": category }),
  };
  const options: FindOptions = {
    where,
    attributes: { exclude: ["body", "bodyHtml", "toc", "folded"] },
    order: ["title", "id"],
    limit,
    offset,
  };
  const [total, rows] = await Promise.all([
    models.WikiPage.count({ where, include: ["category"] }),
    models.WikiPage.scope("listed").findAll(options),
  ]);
  return { rows, total };
}

/** A page as everybody reads it, and the former slug it was asked for by. */
export interface FoundWikiPage {
  readonly page: WikiPage;
  readonly redirectedFrom: string | null;
}

/**
 * What is not public is found by none of the two reads: a third one for the former slug of a draft
 * would tell by its time that there is something.
 * @throws AppError missing, also for a draft and for what redirects to one
 */
export async function readPublicWikiPage(slug: string, { models }: Stores): Promise<FoundWikiPage> {
  const visible = models.WikiPage.scope(["visible", "whole"]);
  const page = await visible.findOne({ where: { slug } });
  if (page) return { page, redirectedFrom: null };
  const toVisible = { model: models.WikiPage.scope("visible"), as: "page", attributes: ["id"] };
  const redirect = await models.WikiRedirect.findByPk(slug, {
    include: [{ ...toVisible, required: true }],
  });
  const renamed = redirect && (await visible.findByPk(redirect.pageId));
  if (!renamed) throw missing();
  return { page: renamed, redirectedFrom: slug };
}

/** The page by its present slug. @throws AppError missing */
export async function readWikiPage(
  slug: string,
  { models }: Stores,
  transaction?: Transaction,
): Promise<WikiPage> {
  const options = { where: { slug }, ...(transaction && { transaction }) };
  const page = await models.WikiPage.scope("whole").findOne(options);
  if (!page) throw missing("Unknown wiki page");
  return page;
}

/** @throws AppError missing */
export async function requireWikiPage(slug: string, { models }: Stores): Promise<void> {
  if ((await models.WikiPage.count({ where: { slug } })) > 0) return;
  throw missing("Unknown wiki page");
}

interface RevisionPage {
  readonly limit: number;
  readonly offset: number;
}

/** The revisions of a page with their texts, the newest first. @throws AppError missing */
export async function readRevisions(
  slug: string,
  { limit, offset }: RevisionPage,
  { models }: Stores,
): Promise<WikiRevision[]> {
  const page = await models.WikiPage.findOne({ attributes: ["id"], where: { slug } });
  if (!page) throw missing("Unknown wiki page");
  return models.WikiRevision.findAll({
    where: { pageId: page.id },
    include: [{ association: "author", attributes: ["id", "username"] }],
    order: [["revision", "DESC"]],
    limit,
    offset,
  });
}

/**
 * @openapi
 * components:
 *   schemas:
 *     CountedCategory:
 *       type: object
 *       additionalProperties: false
 *       required: [slug, name, count]
 *       properties:
 *         slug: { type: string, example: guides }
 *         name: { type: string, example: Guides }
 *         count: { type: integer, description: Published pages., example: 12 }
 */
export interface CountedCategory extends Readonly<Pick<WikiCategory, "slug" | "name">> {
  readonly count: number;
}

/** The categories of published pages, by name. */
export const countCategories = ({ models }: Stores): Promise<CountedCategory[]> =>
  plainRows(models.WikiCategory, {
    columns: ["slug", "name"],
    computed: { count: computed<number>(fn("count", col("pages.id"))) },
    include: [
      { model: models.WikiPage.scope("visible"), as: "pages", attributes: [], required: true },
    ],
    group: ["WikiCategory.id"],
    order: ["name", "id"],
  });

/**
 * @openapi
 * components:
 *   schemas:
 *     CountedTag:
 *       type: object
 *       additionalProperties: false
 *       required: [tag, count]
 *       properties:
 *         tag: { type: string, example: mining }
 *         count: { type: integer, description: Published pages., example: 3 }
 */
export interface CountedTag {
  readonly tag: string;
  readonly count: number;
}

/** The tags of published pages, the commonest first. */
export const countTags = ({
  sequelize,
}: {
  readonly sequelize: Sequelize;
}): Promise<CountedTag[]> =>
  rowsOf<CountedTag>(
    sequelize,
    `select tag, count(*)::integer as count from wiki_pages, unnest(tags) as tag
     where status = 'published' group by tag order by count desc, tag`,
  );
