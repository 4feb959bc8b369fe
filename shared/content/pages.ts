import { Op, type Transaction } from "sequelize";

import type { Page, PageAudience } from "../../models/content/page.ts";
import type { Models } from "../../models/index.ts";
import { transactionStart } from "../../models/queries/clock.ts";
import type { Caller } from "../platform/access/caller.ts";
import { isStaff } from "../platform/access/roles.ts";
import { type Actor, recordActivity } from "../platform/activity/activity.ts";
import { requireBaseRevision } from "../platform/base-revision.ts";
import type { Context } from "../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../platform/db/transaction.ts";
import { notFoundError } from "../platform/errors/errors.ts";
import { deriveSlug, reserveSlug } from "./choose-slug.ts";
import { type RenderedText, renderMarkdown, renderedColumns } from "./markdown/render.ts";
import { makeRenderContext } from "./render-context.ts";
import { changedFields, omitUndefined, type SavedText, nextSlugRevision } from "./saved-text.ts";
import { removeSearchEntry, indexPage } from "./search/entries.ts";

interface Stores {
  readonly models: Models;
}

/** Lists the pages that the navigation shows to a caller with these audiences. */
export const listNavigation = (
  audiences: readonly PageAudience[],
  { models }: Stores,
): Promise<Page[]> =>
  models.Page.scope({ method: ["visibleTo", audiences] }).findAll({
    attributes: ["slug", "title", "navOrder"],
    where: { navOrder: { [Op.not]: null } },
    order: ["navOrder", "title", "id"],
  });

/** @throws AppError not_found, also if the page is for other audiences */
export async function readVisiblePage(
  slug: string,
  audiences: readonly PageAudience[],
  { models }: Stores,
): Promise<Page> {
  const visible = models.Page.scope({ method: ["visibleTo", audiences] });
  const page = await visible.findOne({ where: { slug } });
  if (!page) throw notFoundError();
  return page;
}

/** Lists all pages without their texts, in the order of the navigation and then by title. */
export const listPages = ({ models }: Stores): Promise<Page[]> =>
  models.Page.findAll({
    attributes: { exclude: ["body", "bodyHtml"] },
    order: ["navOrder", "title", "id"],
  });

/** @throws AppError not_found */
export async function readPage(
  slug: string,
  { models }: Stores,
  transaction?: Transaction,
): Promise<Page> {
  const page = await models.Page.findOne({ where: { slug }, ...(transaction && { transaction }) });
  if (!page) throw notFoundError("Unknown page");
  return page;
}

export async function requirePage(slug: string, { models }: Stores): Promise<void> {
  if ((await models.Page.count({ where: { slug } })) === 0) throw notFoundError("Unknown page");
}

/** An editor's change of a page. An undefined field stays unchanged. */
export interface PageChange {
  readonly title?: string | undefined;
  readonly slug?: string | undefined;
  readonly body?: string | undefined;
  readonly nav_order?: number | null | undefined;
  readonly audience?: PageAudience | undefined;
  readonly status?: Page["status"] | undefined;
}

export type NewPage = PageChange & { readonly title: string; readonly body: string };

/** @throws AppError if the slug is taken */
export async function createPage(
  given: NewPage,
  actor: Actor,
  context: Context,
): Promise<SavedText<Page>> {
  const { title } = given;
  // Render before taking any lock: other transactions that need a slug would wait for the rendering.
  const rendered = await renderMarkdown(given.body, makeRenderContext(context));
  return inCallersTransaction(context.sequelize, async (transaction) => {
    if (given.slug !== undefined) await reserveSlug("page", given.slug, transaction);
    const slug = given.slug ?? (await deriveSlug("page", title, transaction));
    const page = context.models.Page.build({
      navOrder: null,
      audience: "anonymous",
      status: "draft",
      ...columnsOf(given),
      title,
      slug,
      body: given.body,
      revision: await nextSlugRevision("page", { slug, least: 1 }, transaction),
      ...renderedColumns(rendered, `page-${slug}`, context.config),
    });
    await storePage(page, rendered, transaction);
    const { status, audience } = page;
    await record("page.created", page, { actor, detail: { status, audience } }, transaction);
    const row = await readPage(page.slug, context, transaction);
    return { row, removed: rendered.removed };
  });
}

/** @throws AppError if the page is unknown, has a newer revision, or the slug is taken */
export const changePage = (
  slug: string,
  given: PageChange,
  actor: Actor,
  context: Context,
): Promise<SavedText<Page>> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const page = await lockPage(slug, transaction);
    requireBaseRevision(page.revision);
    const rendered = await renderMarkdown(
      given.body ?? page.body,
      makeRenderContext(context, transaction),
    );
    const isMoved = given.slug !== undefined && given.slug !== slug;
    if (isMoved) await reserveSlug("page", given.slug, transaction);
    page.set(columnsOf(given));
    page.set(renderedColumns(rendered, `page-${page.slug}`, context.config));
    const fields = changedFields(page);
    const least = page.revision + 1;
    const revision = isMoved
      ? await nextSlugRevision("page", { slug: page.slug, least }, transaction)
      : least;
    page.set({ revision, updatedAt: transactionStart() });
    await storePage(page, rendered, transaction);
    await record("page.updated", page, { actor, detail: { fields } }, transaction);
    const row = await readPage(page.slug, context, transaction);
    return { row, removed: rendered.removed };
  });

/** @throws AppError not_found */
export const deletePage = (slug: string, actor: Actor, context: Context): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const page = await lockPage(slug, transaction);
    requireBaseRevision(page.revision);
    await page.destroy({ transaction });
    await removeSearchEntry("page", page.id, transaction);
    await record("page.deleted", page, { actor }, transaction);
  });

async function lockPage(slug: string, transaction: Transaction): Promise<Page> {
  const lock = transaction.LOCK.UPDATE;
  const page = await modelsOf(transaction).Page.findOne({ where: { slug }, transaction, lock });
  if (!page) throw notFoundError("Unknown page");
  return page;
}

const columnsOf = ({ title, slug, body, nav_order, audience, status }: PageChange) =>
  omitUndefined({ title, slug, body, navOrder: nav_order, audience, status });

async function storePage(
  page: Page,
  { text }: RenderedText,
  transaction: Transaction,
): Promise<void> {
  await page.save({ transaction });
  await indexPage(page, text, transaction);
}

interface ActivityInput {
  readonly actor: Actor;
  readonly detail?: Readonly<Record<string, unknown>>;
}

const record = (
  action: string,
  { slug }: Page,
  recorded: ActivityInput,
  transaction: Transaction,
): Promise<void> =>
  recordActivity({ ...recorded, action, target: { type: "page", id: slug } }, transaction);

export const pageAudiences: readonly PageAudience[] = ["anonymous", "logged_in", "staff"];

export function audiencesOf(caller: Caller | null): readonly PageAudience[] {
  if (!caller) return ["anonymous"];
  return isStaff(caller.role) ? pageAudiences : ["anonymous", "logged_in"];
}
