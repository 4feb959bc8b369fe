import type { Transaction } from "sequelize";

import type { Page } from "../../../models/content/page.ts";
import { indexEntry, removeEntry } from "../search/index-entry.ts";

/** Lets a page be found as it is now by those who may see it. */
export async function indexPage(page: Page, text: string, transaction: Transaction): Promise<void> {
  const { id: refId, slug, title, audience, status } = page;
  if (status === "draft") return removeEntry("page", refId, transaction);
  const entry = { type: "page", refId, slug, title, beside: [], text, audience } as const;
  return indexEntry({ ...entry, visibleFrom: null }, transaction);
}
