import type { Transaction } from "sequelize";

import type { Models } from "../../models/index.ts";
import type { PageSlugs } from "./markdown/wiki-links.ts";

/** The slugs of published pages of the wiki by their titles, as links in texts name them. */
export const slugFinder =
  ({ WikiPage }: Models, transaction?: Transaction) =>
  async (titles: readonly string[]): Promise<PageSlugs> => {
    const pages = await WikiPage.scope("visible").findAll({
      attributes: ["title", "slug"],
      where: { title: [...titles] },
      // Of several pages with one title the first is meant.
      order: [["id", "DESC"]],
      ...(transaction && { transaction }),
    });
    return new Map(pages.map(({ title, slug }) => [title, slug]));
  };
