import type { Transaction } from "sequelize";

import type { WikiPage } from "../../../models/content/wiki-page.ts";
import { type Actor, recordActivity } from "../../activity/activity.ts";
import { modelsOf } from "../../db/transaction.ts";
import { takeSlug } from "../choose-slug.ts";

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
