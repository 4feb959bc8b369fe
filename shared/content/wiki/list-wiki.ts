import type { Sequelize } from "sequelize";

import type { WikiPage } from "../../../models/content/wiki-page.ts";
import type { Models } from "../../../models/index.ts";
import { escapeLike } from "../../platform/db/like.ts";
import { firstRow, rows as readRows } from "../../platform/db/rows.ts";
import { SqlParams } from "../../platform/db/sql-params.ts";
import type { ListPage, ListQuery } from "../list-query.ts";
import { fold } from "../text/fold.ts";

interface Parts {
  readonly models: Models;
  readonly sequelize: Sequelize;
}

export interface WikiQuery extends ListQuery {
  /** A category's slug. */
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
  readonly status?: WikiPage["status"] | undefined;
}

/** Pages by their titles, without their texts. */
export async function listWiki(
  { category: slug, ...query }: WikiQuery,
  { models, sequelize }: Parts,
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

type Asked = Omit<WikiQuery, "category"> & { readonly categoryId: number | undefined };

/** By a kept number where at most one of category and tag is asked of published pages; else by a look at each. */
async function countPages(asked: Asked, sequelize: Sequelize): Promise<number> {
  const { q, tag, status, categoryId } = asked;
  const isKept =
    status === "published" && q === undefined && (tag === undefined || categoryId === undefined);
  const params = new SqlParams();
  const text = isKept
    ? `select pages as total from wiki_counts where counted = ${params.add(countedOf(asked))}
       and key = ${params.add(String(tag ?? categoryId ?? ""))}`
    : `select count(*)::integer as total from wiki_pages where ${conditionOf(asked, params)}`;
  return (await firstRow<{ total: number }>(sequelize, text, params.values))?.total ?? 0;
}

const countedOf = ({ tag, categoryId }: Asked): "all" | "category" | "tag" => {
  if (tag !== undefined) return "tag";
  return categoryId === undefined ? "all" : "category";
};

/** The pages of the second half are found from the end, so that the walk to the deepest page is short. */
async function findPageIds(asked: Asked, total: number, sequelize: Sequelize): Promise<number[]> {
  const { offset } = asked;
  const limit = Math.min(asked.limit, total - offset);
  if (limit <= 0) return [];
  const params = new SqlParams();
  const condition = conditionOf(asked, params);
  const isFromEnd = offset > total / 2;
  const [order, skipped] = isFromEnd
    ? ["title desc, id desc", total - offset - limit]
    : ["title, id", offset];
  const found = await readRows<Pick<WikiPage, "id">>(
    sequelize,
    `select id from wiki_pages where ${condition} order by ${order}
     limit ${params.add(limit)} offset ${params.add(skipped)}`,
    params.values,
  );
  return found.map(({ id }) => id);
}

function conditionOf({ q, tag, status, categoryId }: Asked, params: SqlParams): string {
  const conditions = [
    // Spelled out: an index of published pages serves no parameter.
    status !== undefined && (status === "published" ? "status = 'published'" : "status = 'draft'"),
    categoryId !== undefined && `category_id = ${params.add(categoryId)}`,
    tag !== undefined && `tags @> array[${params.add(tag)}]`,
    q !== undefined && `folded like ${params.add(`%${escapeLike(fold(q))}%`)}`,
  ];
  return conditions.filter(Boolean).join(" and ") || "true";
}
