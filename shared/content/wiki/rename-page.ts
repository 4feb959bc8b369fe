import type { Transaction } from "sequelize";

import type { WikiPage } from "../../../models/content/wiki-page.ts";
import type { WikiRedirect } from "../../../models/content/wiki-redirect.ts";
import { type Actor, recordActivity } from "../../platform/activity/activity.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { isFreeSlug, reserveSlug } from "../choose-slug.ts";
import { slugOf } from "../text/slugs.ts";

/** Takes a slug and deletes a redirect from it. @throws AppError if a page has the slug, or it is reserved */
export async function claimSlug(
  slug: string,
  { isChosen }: { readonly isChosen: boolean },
  transaction: Transaction,
): Promise<void> {
  if (isChosen) await reserveSlug("wiki", slug, transaction);
  await modelsOf(transaction).WikiRedirect.destroy({ where: { slug }, transaction });
}

/** Gives a locked page another slug and redirects the former one to it. */
export async function renamePage(
  page: WikiPage,
  slug: string,
  actor: Actor,
  transaction: Transaction,
): Promise<void> {
  const { id, slug: former } = page;
  await claimSlug(slug, { isChosen: true }, transaction);
  await modelsOf(transaction).WikiRedirect.create({ slug: former, pageId: id }, { transaction });
  page.slug = slug;
  const target = { type: "wiki", id: slug };
  await recordActivity({ actor, action: "wiki.renamed", target, detail: { former } }, transaction);
}

/** Redirects the slug of a page's title to the page, unless the slug is taken: links in texts name pages by title. */
export async function redirectTitle(page: WikiPage, transaction: Transaction): Promise<void> {
  const byTitle = slugOf(page.title);
  if (byTitle === page.slug || !(await isFreeSlug("wiki", byTitle, transaction))) return;
  const { WikiRedirect } = modelsOf(transaction);
  const include = [{ association: "page", attributes: ["id", "title", "status"] }];
  const held = await WikiRedirect.findByPk(byTitle, { include, transaction });
  if (held && !isReplaceable(held, page)) return;
  await WikiRedirect.upsert({ slug: byTitle, pageId: page.id, byTitle: true }, { transaction });
}

/**
 * Returns true if the page may take over a redirect from the page to which it leads. A redirect by title is taken
 * over if that page has another title now, or is a draft and this page is published. A former slug always stays.
 */
const isReplaceable = (
  { slug, byTitle, page: held }: WikiRedirect,
  { status }: WikiPage,
): boolean =>
  byTitle &&
  (slugOf(held?.title ?? "") !== slug || (held?.status === "draft" && status === "published"));
