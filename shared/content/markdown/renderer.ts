import { randomUUID } from "node:crypto";

import { fitForXml } from "../text/clean.ts";
import { reportUnusedDefinitions } from "./definitions.ts";
import { anchorHeadings } from "./headings.ts";
import { type Environment, parserFor } from "./parser.ts";
import { firstParagraph, plainText } from "./plain-text.ts";
import { refuseParts } from "./refuse-parts.ts";
import { RemovedParts } from "./removed-parts.ts";
import type { Rendered, TextSite } from "./render.ts";
import { sanitize } from "./sanitize.ts";
import { addressLinks, linkedTitles } from "./wiki-links.ts";

export async function render(
  source: string,
  { findSlugs, images, linkSchemes = [] }: TextSite,
): Promise<Rendered> {
  const removed = new RemovedParts(linkSchemes);
  const footnoteKey = randomUUID();
  const environment: Environment = { docId: footnoteKey, removed };
  const markdown = parserFor(linkSchemes);
  const tokens = markdown.parse(source, environment);
  const titles = linkedTitles(tokens);
  addressLinks(tokens, titles.length > 0 ? await findSlugs(titles) : new Map());
  refuseParts(tokens, { images, linkSchemes, removed });
  reportUnusedDefinitions(tokens, environment, removed);
  const toc = anchorHeadings(tokens);
  const html = markdown.renderer.render(tokens, markdown.options, environment);
  return {
    html: fitForXml(sanitize(html, { images, linkSchemes })),
    footnoteKey,
    toc,
    text: plainText(tokens),
    excerpt: firstParagraph(tokens),
    removed: removed.list(),
  };
}
