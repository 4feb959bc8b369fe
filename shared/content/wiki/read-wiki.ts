import type { Sequelize, Transaction } from "sequelize";

import type { WikiCategory } from "../../../models/content/wiki-category.ts";
import type { WikiPage } from "../../../models/content/wiki-page.ts";
import type { WikiRevision } from "../../../models/content/wiki-revision.ts";
import type { Models } from "../../../models/index.ts";
import { rows as rowsOf } from "../../platform/db/rows.ts";
import { missing } from "../../platform/errors/errors.ts";

interface Stores {
  readonly models: Models;
}

interface Parts {
  readonly sequelize: Sequelize;
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

export interface CountedCategory extends Readonly<Pick<WikiCategory, "slug" | "name">> {
  readonly count: number;
}

/** The categories of published pages, by name. */
export const countCategories = ({ sequelize }: Parts): Promise<CountedCategory[]> =>
  rowsOf<CountedCategory>(
    sequelize,
    `select slug, name, pages as count from wiki_counts
     join wiki_categories category on category.id = key::integer
     where counted = 'category' order by name, category.id`,
  );

export interface CountedTag {
  readonly tag: string;
  readonly count: number;
}

/** The tags of published pages, the commonest first. */
export const countTags = ({ sequelize }: Parts): Promise<CountedTag[]> =>
  rowsOf<CountedTag>(
    sequelize,
    `select key as tag, pages as count from wiki_counts
     where counted = 'tag' order by pages desc, key`,
  );
