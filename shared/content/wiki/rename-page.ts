import type { Transaction } from "sequelize";

import type { WikiPage } from "../../../models/content/wiki-page.ts";
import type { WikiRedirect } from "../../../models/content/wiki-redirect.ts";
import { type Actor, recordActivity } from "../../platform/activity/activity.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { isFreeSlug, takeSlug } from "../choose-slug.ts";
import { slugOf } from "../text/slugs.ts";

/**
 * Takes a slug for a page. A redirect of that name gives way: the page is what people look for
 * there now.
 * @throws AppError when a page has it, or it is reserved
 */
export async function claimSlug(
  slug: string,
  { isChosen }: { readonly isChosen: boolean },
  transaction: Transaction,
): Promise<void> {
  if (isChosen) await takeSlug("wiki", slug, transaction);
  await modelsOf(transaction).WikiRedirect.destroy({ where: { slug }, transaction });
}

/** Gives a locked page another slug; the former one leads to it from now on. */
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

/**
 * Links in texts name a page by its title, and may be older than the page: the slug that its title
 * gives leads to it as well, unless another page is found there.
 */
export async function leadTitleTo(page: WikiPage, transaction: Transaction): Promise<void> {
  const byTitle = slugOf(page.title);
  if (byTitle === page.slug || !(await isFreeSlug("wiki", byTitle, transaction))) return;
  const { WikiRedirect } = modelsOf(transaction);
  const include = [{ association: "page", attributes: ["id", "title", "status"] }];
  const held = await WikiRedirect.findByPk(byTitle, { include, transaction });
  if (held && !givesWay(held, page)) return;
  await WikiRedirect.upsert({ slug: byTitle, pageId: page.id, byTitle: true }, { transaction });
}

/**
 * Whether a page of the title that gives a slug is what people look for there now: where the slug
 * leads to was called so before, or is a draft, which nobody finds. A former slug stays.
 */
const givesWay = ({ slug, byTitle, page: held }: WikiRedirect, { status }: WikiPage): boolean =>
  byTitle &&
  (slugOf(held?.title ?? "") !== slug || (held?.status === "draft" && status === "published"));
