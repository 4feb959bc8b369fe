import type { Transaction } from "sequelize";

import type { WikiPage } from "../../../models/content/wiki-page.ts";
import type { WikiRedirect } from "../../../models/content/wiki-redirect.ts";
import { matchClientId } from "../../../models/queries/any-id.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import { type Actor, recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { takeTransactionLock } from "../../platform/db/lock.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { deriveSlug, isFreeSlug, reserveSlug } from "../choose-slug.ts";
import type { RemovedPart } from "../markdown/removed-parts.ts";
import { renderedColumns, renderMarkdown } from "../markdown/render.ts";
import { makeRenderContext } from "../render-context.ts";
import { changedFields, nextSlugRevision, type SavedText } from "../saved-text.ts";
import { indexWikiPage, removeSearchEntry } from "../search/entries.ts";
import { foldText } from "../text/fold.ts";
import { slugOf } from "../text/slugs.ts";
import { readWikiPage } from "./read-wiki.ts";

/** An editor's fields of a page. An undefined field stays unchanged. */
export interface WikiFields {
  readonly title?: string | undefined;
  readonly slug?: string | undefined;
  readonly body?: string | undefined;
  /** The category's name; null for no category. */
  readonly category?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly status?: "draft" | "published" | undefined;
  /** The editor's summary of the change. */
  readonly note?: string | null | undefined;
}

export type NewWikiPage = WikiFields & { readonly title: string; readonly body: string };
export type WikiChange = WikiFields;

/** @throws AppError if the slug is taken or reserved */
export async function createWikiPage(
  given: NewWikiPage,
  actor: Actor,
  context: Context,
): Promise<SavedText<WikiPage>> {
  const { title, body, status = "draft", tags = [] } = given;
  const rendered = await renderMarkdown(body, makeRenderContext(context));
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const slug = given.slug ?? (await deriveSlug("wiki", title, transaction));
    const page = context.models.WikiPage.build({
      title,
      body,
      status,
      tags: [...tags],
      slug,
      categoryId: null,
      ...renderedColumns(rendered, `wiki-${slug}`, context.config),
      toc: rendered.toc,
      folded: foldText(title),
      updatedBy: actor.userId,
    });
    await claimWikiSlug(page.slug, { isChosen: given.slug !== undefined }, transaction);
    page.revision = await nextSlugRevision("wiki", { slug, least: 1 }, transaction);
    await storeRevision(page, { ...given, text: rendered.text }, transaction);
    await record("wiki.created", slug, { actor, detail: { status } }, transaction);
    return { row: await readWikiPage(slug, context, transaction), removed: rendered.removed };
  });
}

/** @throws AppError if the page is unknown, has a newer revision, or the slug is taken or reserved */
export const changeWikiPage = (
  slug: string,
  given: WikiChange,
  actor: Actor,
  context: Context,
): Promise<SavedText<WikiPage>> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const page = await lockPage(slug, transaction);
    requireBaseRevision(page.revision);
    const { fields, removed } = await applyChange(page, given, { actor, transaction }, context);
    const detail = { fields, revision: page.revision };
    await record("wiki.updated", page.slug, { actor, detail }, transaction);
    return { row: await readWikiPage(page.slug, context, transaction), removed };
  });

/** Stores the text of an old revision as the newest one. @throws AppError not_found */
export const restoreRevision = (
  slug: string,
  revision: number,
  actor: Actor,
  context: Context,
): Promise<SavedText<WikiPage>> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const page = await lockPage(slug, transaction);
    requireBaseRevision(page.revision);
    const { WikiRevision } = context.models;
    const old = await WikiRevision.findOne({
      where: { pageId: page.id, revision: matchClientId(revision) },
      transaction,
    });
    if (!old) throw notFoundError("Unknown revision");
    const { title, body } = old;
    const { removed } = await applyChange(
      page,
      { title, body, note: `Restored revision ${revision}` },
      { actor, transaction },
      context,
    );
    const detail = { restored: revision, revision: page.revision };
    await record("wiki.restored", page.slug, { actor, detail }, transaction);
    return { row: await readWikiPage(page.slug, context, transaction), removed };
  });

/** @throws AppError not_found */
export const deleteWikiPage = (slug: string, actor: Actor, context: Context): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const page = await lockPage(slug, transaction);
    requireBaseRevision(page.revision);
    await page.destroy({ transaction });
    await removeSearchEntry("wiki", page.id, transaction);
    await record("wiki.deleted", slug, { actor }, transaction);
  });

async function lockPage(slug: string, transaction: Transaction): Promise<WikiPage> {
  const page = await modelsOf(transaction).WikiPage.findOne({
    where: { slug },
    transaction,
    lock: transaction.LOCK.UPDATE,
  });
  if (!page) throw notFoundError("Unknown wiki page");
  return page;
}

interface WriteContext {
  readonly actor: Actor;
  readonly transaction: Transaction;
}

interface AppliedChange {
  /** The names of the changed columns. */
  readonly fields: readonly string[];
  readonly removed: readonly RemovedPart[];
}

/** Stores a change of a locked page as its newest revision. */
async function applyChange(
  page: WikiPage,
  given: WikiFields,
  { actor, transaction }: WriteContext,
  context: Context,
): Promise<AppliedChange> {
  const { title = page.title, body = page.body, status = page.status, tags } = given;
  // Render before locking the slugs: other transactions that need a slug would wait for the rendering.
  const rendered = await renderMarkdown(body, makeRenderContext(context, transaction));
  const isMoved = given.slug !== undefined && given.slug !== page.slug;
  if (isMoved) await renamePage(page, given.slug, actor, transaction);
  page.set({ title, body, status, folded: foldText(title), ...(tags && { tags: [...tags] }) });
  page.set(renderedColumns(rendered, `wiki-${page.slug}`, context.config));
  page.set({ toc: rendered.toc });
  const changed = changedFields(page);
  const least = page.revision + 1;
  const revision = isMoved
    ? await nextSlugRevision("wiki", { slug: page.slug, least }, transaction)
    : least;
  page.set({ revision, updatedBy: actor.userId, updatedAt: transactionStart() });
  await storeRevision(page, { ...given, text: rendered.text }, transaction);
  const fields = new Set([...changed, ...(given.category === undefined ? [] : ["category"])]);
  return { fields: [...fields], removed: rendered.removed };
}

interface RevisionInput extends Pick<WikiFields, "category" | "note"> {
  readonly text: string;
}

/** Stores a page, its revision and its search entry. */
async function storeRevision(
  page: WikiPage,
  { category, note = null, text }: RevisionInput,
  transaction: Transaction,
): Promise<void> {
  const { WikiRevision } = modelsOf(transaction);
  if (category !== undefined) page.categoryId = await categoryIdOf(category, transaction);
  await page.save({ transaction });
  await redirectTitle(page, transaction);
  const { id, title, body, revision, updatedBy } = page;
  await WikiRevision.create(
    { pageId: id, revision, title, body, authorId: updatedBy, note },
    { transaction },
  );
  await indexWikiPage(page, text, transaction);
}

/** Locks the slugs first: a transaction with that lock can wait for a category, so the opposite order deadlocks. */
async function categoryIdOf(name: string | null, transaction: Transaction): Promise<number | null> {
  if (name === null) return null;
  await takeTransactionLock("slugs", transaction);
  const { WikiCategory } = modelsOf(transaction);
  return (await WikiCategory.ensure({ slug: slugOf(name), name }, transaction)).id;
}

interface ActivityInput {
  readonly actor: Actor;
  readonly detail?: Readonly<Record<string, unknown>>;
}

const record = (
  action: string,
  slug: string,
  recorded: ActivityInput,
  transaction: Transaction,
): Promise<void> =>
  recordActivity({ ...recorded, action, target: { type: "wiki", id: slug } }, transaction);

/** Takes a slug and deletes a redirect from it. @throws AppError if a page has the slug, or it is reserved */
async function claimWikiSlug(
  slug: string,
  { isChosen }: { readonly isChosen: boolean },
  transaction: Transaction,
): Promise<void> {
  if (isChosen) await reserveSlug("wiki", slug, transaction);
  await modelsOf(transaction).WikiRedirect.destroy({ where: { slug }, transaction });
}

/** Gives a locked page another slug and redirects the former one to it. */
async function renamePage(
  page: WikiPage,
  slug: string,
  actor: Actor,
  transaction: Transaction,
): Promise<void> {
  const { id, slug: former } = page;
  await claimWikiSlug(slug, { isChosen: true }, transaction);
  await modelsOf(transaction).WikiRedirect.create({ slug: former, pageId: id }, { transaction });
  page.slug = slug;
  const target = { type: "wiki", id: slug };
  await recordActivity({ actor, action: "wiki.renamed", target, detail: { former } }, transaction);
}

/** Redirects the slug of a page's title to the page, unless the slug is taken: links in texts name pages by title. */
async function redirectTitle(page: WikiPage, transaction: Transaction): Promise<void> {
  const byTitle = slugOf(page.title);
  if (byTitle === page.slug || !(await isFreeSlug("wiki", byTitle, transaction))) return;
  const { WikiRedirect } = modelsOf(transaction);
  const include = [{ association: "page", attributes: ["id", "title", "status"] }];
  const held = await WikiRedirect.findByPk(byTitle, { include, transaction });
  if (held && !isReplaceable(held, page)) return;
  await WikiRedirect.upsert({ slug: byTitle, pageId: page.id, byTitle: true }, { transaction });
}

/**
 * Returns true if a redirect to another page may be replaced by the given page. A redirect from a title may be
 * replaced if its target has another title now, or is a draft while the given page is published. A former slug
 * always keeps its redirect.
 */
const isReplaceable = (
  { slug, byTitle, page: held }: WikiRedirect,
  { status }: WikiPage,
): boolean =>
  byTitle &&
  (slugOf(held?.title ?? "") !== slug || (held?.status === "draft" && status === "published"));
