import type { Transaction } from "sequelize";

import type { Models } from "../../models/index.ts";
import type { Context } from "../platform/context.ts";
import type { RemovedPart } from "./markdown/removed-parts.ts";
import { type TextSite, htmlOf, renderMarkdown } from "./markdown/render.ts";
import type { PageSlugs } from "./markdown/wiki-links.ts";

/** What a text is rendered for. @param transaction reads the pages that links name */
export const textSite = (
  { models, config }: Pick<Context, "models" | "config">,
  transaction?: Transaction,
): TextSite => ({
  findSlugs: slugFinder(models, transaction),
  images: config,
  linkSchemes: config.CONTENT_LINK_SCHEMES,
});

/** The slugs of published pages of the wiki by their titles, as links in texts name them. */
const slugFinder =
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

interface Preview {
  readonly html: string;
  readonly removed: readonly RemovedPart[];
}

/** What a text will be shown as, once it is saved. */
export async function previewMarkdown(
  source: string,
  context: Pick<Context, "models" | "config">,
): Promise<Preview> {
  const rendered = await renderMarkdown(source, textSite(context));
  return { html: htmlOf(rendered, "preview"), removed: rendered.removed };
}
