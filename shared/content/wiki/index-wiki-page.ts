import type { Transaction } from "sequelize";

import type { WikiPage } from "../../../models/content/wiki-page.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { indexEntry, removeEntry } from "../search/index-entry.ts";

/** Lets a page of the wiki be found as it is now, also by its tags and its category. */
export async function indexWikiPage(
  page: WikiPage,
  text: string,
  transaction: Transaction,
): Promise<void> {
  const { id: refId, slug, title, status, tags, categoryId } = page;
  if (status === "draft") return removeEntry("wiki", refId, transaction);
  const { WikiCategory } = modelsOf(transaction);
  const category = categoryId && (await WikiCategory.findByPk(categoryId, { transaction }));
  const beside = [...tags, category ? category.name : ""];
  const entry = { type: "wiki", refId, slug, title, beside, text } as const;
  return indexEntry({ ...entry, audience: "anonymous", visibleFrom: null }, transaction);
}
