import type { Sequelize, Transaction } from "sequelize";

import type { WikiCategory } from "../../../models/content/wiki-category.ts";
import type { WikiPage } from "../../../models/content/wiki-page.ts";
import type { WikiRevision } from "../../../models/content/wiki-revision.ts";
import type { Models } from "../../../models/index.ts";
import { rows as rowsOf, firstRow } from "../../platform/db/rows.ts";
import { escapeLike, SqlParams } from "../../platform/db/sql-text.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import type { ListPage, ListQuery } from "../list-query.ts";
import { foldText } from "../text/fold.ts";
import { selectCategoriesSql, selectTagsSql } from "./wiki.sql.ts";

interface Stores {
  readonly models: Models;
}

interface SqlContext {
  readonly sequelize: Sequelize;
}

/** A public wiki page, and the former slug if the request used one. */
export interface PublicWikiPage {
  readonly page: WikiPage;
  readonly redirectedFrom: string | null;
}

/**
 * Reads a published page by its current or former slug. Both queries exclude drafts: a third query for the
 * former slug of a draft would reveal the draft by its duration.
 * @throws AppError not_found, also for a draft or a redirect to a draft
 */
export async function readPublicWikiPage(
  slug: string,
  { models }: Stores,
): Promise<PublicWikiPage> {
  const visible = models.WikiPage.scope(["visible", "whole"]);
  const page = await visible.findOne({ where: { slug } });
  if (page) return { page, redirectedFrom: null };
  const toVisible = { model: models.WikiPage.scope("visible"), as: "page", attributes: ["id"] };
  const redirect = await models.WikiRedirect.findByPk(slug, {
    include: [{ ...toVisible, required: true }],
  });
  const renamed = redirect && (await visible.findByPk(redirect.pageId));
  if (!renamed) throw notFoundError();
  return { page: renamed, redirectedFrom: slug };
}

/** Reads the page by its current slug. @throws AppError not_found */
export async function readWikiPage(
  slug: string,
  { models }: Stores,
  transaction?: Transaction,
): Promise<WikiPage> {
  const options = { where: { slug }, ...(transaction && { transaction }) };
  const page = await models.WikiPage.scope("whole").findOne(options);
  if (!page) throw notFoundError("Unknown wiki page");
  return page;
}

export async function requireWikiPage(slug: string, { models }: Stores): Promise<void> {
  if ((await models.WikiPage.count({ where: { slug } })) > 0) return;
  throw notFoundError("Unknown wiki page");
}

interface RevisionPage {
  readonly limit: number;
  readonly offset: number;
}

/** Lists the revisions of a page with their texts, newest first. @throws AppError not_found */
export async function readRevisions(
  slug: string,
  { limit, offset }: RevisionPage,
  { models }: Stores,
): Promise<WikiRevision[]> {
  const page = await models.WikiPage.findOne({ attributes: ["id"], where: { slug } });
  if (!page) throw notFoundError("Unknown wiki page");
  return models.WikiRevision.findAll({
    where: { pageId: page.id },
    include: [{ association: "author", attributes: ["id", "username"] }],
    order: [["revision", "DESC"]],
    limit,
    offset,
  });
}

export interface CountedCategory extends Readonly<Pick<WikiCategory, "slug" | "name">> {
  readonly count: number;
}

/** Lists the categories of published pages by name. */
export const countCategories = ({ sequelize }: SqlContext): Promise<CountedCategory[]> =>
  rowsOf<CountedCategory>(sequelize, selectCategoriesSql);

export interface CountedTag {
  readonly tag: string;
  readonly count: number;
}

/** Lists the tags of published pages, most frequent first. */
export const countTags = ({ sequelize }: SqlContext): Promise<CountedTag[]> =>
  rowsOf<CountedTag>(sequelize, selectTagsSql);

export interface WikiQuery extends ListQuery {
  /** A category's slug. */
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
  readonly status?: WikiPage["status"] | undefined;
}

/** Lists pages by title, without their texts. */
export async function listWikiPages(
  { category: slug, ...query }: WikiQuery,
  { models, sequelize }: Stores & SqlContext,
): Promise<ListPage<WikiPage>> {
  const where = slug === undefined ? undefined : { slug };
  const category = where && (await models.WikiCategory.findOne({ attributes: ["id"], where }));
  if (category === null) return { rows: [], total: 0 };
  const asked = { ...query, categoryId: category?.id };
  const total = await countPages(asked, sequelize);
  const ids = await findPageIds(asked, total, sequelize);
  const rows = await models.WikiPage.scope("listed").findAll({
    where: { id: ids },
    attributes: { exclude: ["body", "bodyHtml", "toc", "folded"] },
    order: ["title", "id"],
  });
  return { rows, total };
}

type WikiListFilter = Omit<WikiQuery, "category"> & { readonly categoryId: number | undefined };

/** Reads a stored count if published pages are filtered by one category or tag at most; otherwise counts rows. */
async function countPages(asked: WikiListFilter, sequelize: Sequelize): Promise<number> {
  const { q, tag, status, categoryId } = asked;
  const isKept =
    status === "published" && q === undefined && (tag === undefined || categoryId === undefined);
  const params = new SqlParams();
  const text = isKept
    ? `select pages as total from wiki_counts where counted = ${params.add(countKind(asked))}
       and key = ${params.add(String(tag ?? categoryId ?? ""))}`
    : `select count(*)::integer as total from wiki_pages where ${conditionOf(asked, params)}`;
  return (await firstRow<{ total: number }>(sequelize, text, params.values))?.total ?? 0;
}

const countKind = ({ tag, categoryId }: WikiListFilter): "all" | "category" | "tag" => {
  if (tag !== undefined) return "tag";
  return categoryId === undefined ? "all" : "category";
};

/** Reads the ids of a page. It scans from the nearer end, so an offset skips half of the rows at most. */
async function findPageIds(
  asked: WikiListFilter,
  total: number,
  sequelize: Sequelize,
): Promise<number[]> {
  const { offset } = asked;
  const limit = Math.min(asked.limit, total - offset);
  if (limit <= 0) return [];
  const params = new SqlParams();
  const condition = conditionOf(asked, params);
  const isFromEnd = offset > total / 2;
  const [order, skipped] = isFromEnd
    ? ["title desc, id desc", total - offset - limit]
    : ["title, id", offset];
  const found = await rowsOf<Pick<WikiPage, "id">>(
    sequelize,
    `select id from wiki_pages where ${condition} order by ${order}
     limit ${params.add(limit)} offset ${params.add(skipped)}`,
    params.values,
  );
  return found.map(({ id }) => id);
}

// Returns the condition of the list as SQL and not as a model's query, because the count and the ids share it.
function conditionOf({ q, tag, status, categoryId }: WikiListFilter, params: SqlParams): string {
  const conditions = [
    // The status must be a literal: PostgreSQL does not use the partial index of published pages for a parameter.
    status !== undefined && (status === "published" ? "status = 'published'" : "status = 'draft'"),
    categoryId !== undefined && `category_id = ${params.add(categoryId)}`,
    tag !== undefined && `tags @> array[${params.add(tag)}]`,
    q !== undefined && `folded like ${params.add(`%${escapeLike(foldText(q))}%`)}`,
  ];
  return conditions.filter(Boolean).join(" and ") || "true";
}
