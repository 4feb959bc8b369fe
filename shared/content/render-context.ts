import type { Transaction } from "sequelize";

import type { Models } from "../../models/index.ts";
import type { Context } from "../platform/context.ts";
import type { RemovedPart } from "./markdown/removed-parts.ts";
import { type RenderContext, insertDocumentName, renderMarkdown } from "./markdown/render.ts";
import type { PageSlugs } from "./markdown/wiki-links.ts";

/** Returns the site's data for rendering. @param transaction the transaction that reads the linked pages */
export const makeRenderContext = (
  { models, config }: Pick<Context, "models" | "config">,
  transaction?: Transaction,
): RenderContext => ({
  findSlugs: slugFinder(models, transaction),
  images: config,
  linkSchemes: config.CONTENT_LINK_SCHEMES,
});

const slugFinder =
  ({ WikiPage }: Models, transaction?: Transaction) =>
  async (titles: readonly string[]): Promise<PageSlugs> => {
    const pages = await WikiPage.scope("visible").findAll({
      attributes: ["title", "slug"],
      where: { title: [...titles] },
      // If several pages have one title, the oldest one wins: it comes last and replaces the others in the
      // map.
      order: [["id", "DESC"]],
      ...(transaction && { transaction }),
    });
    return new Map(pages.map(({ title, slug }) => [title, slug]));
  };

interface Preview {
  readonly html: string;
  readonly removed: readonly RemovedPart[];
}

/** Renders a text in the same way as saving it, but stores nothing. */
export async function previewMarkdown(
  source: string,
  context: Pick<Context, "models" | "config">,
): Promise<Preview> {
  const rendered = await renderMarkdown(source, makeRenderContext(context));
  return { html: insertDocumentName(rendered, "preview"), removed: rendered.removed };
}
