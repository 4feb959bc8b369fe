import { randomUUID } from "node:crypto";

import type { Token } from "markdown-it";

import type { TocEntry } from "../../../models/content/wiki-page.ts";
import { removeInvalidXml } from "../text/clean.ts";
import { slugOf } from "../text/slugs.ts";
import { reportUnusedDefinitions } from "./definitions.ts";
import { removeForbiddenMarkup } from "./forbidden-parts.ts";
import { type ParserEnvironment, getParser } from "./parser.ts";
import { firstParagraph, plainText, blockText } from "./plain-text.ts";
import { RemovedParts } from "./removed-parts.ts";
import type { RenderedText, RenderContext } from "./render.ts";
import { sanitizeRenderedHtml } from "./sanitize.ts";
import { setLinkTargets, linkedTitles } from "./wiki-links.ts";

export async function renderSource(
  source: string,
  { findSlugs, images, linkSchemes = [] }: RenderContext,
): Promise<RenderedText> {
  const removed = new RemovedParts(linkSchemes);
  const footnoteKey = randomUUID();
  const environment: ParserEnvironment = { docId: footnoteKey, removed };
  const markdown = getParser(linkSchemes);
  const tokens = markdown.parse(source, environment);
  const titles = linkedTitles(tokens);
  setLinkTargets(tokens, titles.length > 0 ? await findSlugs(titles) : new Map());
  removeForbiddenMarkup(tokens, { images, linkSchemes, removed });
  reportUnusedDefinitions(tokens, environment, removed);
  const toc = anchorHeadings(tokens);
  const html = markdown.renderer.render(tokens, markdown.options, environment);
  return {
    html: removeInvalidXml(sanitizeRenderedHtml(html, { images, linkSchemes })),
    footnoteKey,
    toc,
    text: plainText(tokens),
    excerpt: firstParagraph(tokens),
    removed: removed.list(),
  };
}

/** Adds an anchor to each heading. The prefix avoids clashes with names that scripts of the web app use. */
function anchorHeadings(tokens: readonly Token[]): TocEntry[] {
  const used = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    const content = tokens[index + 1];
    if (token.type !== "heading_open" || !content) return [];
    const text = blockText(content);
    const anchor = unusedAnchor(`h-${slugOf(text) || "section"}`, used);
    token.attrSet("id", anchor);
    return [{ level: Number(token.tag.slice(1)), text, anchor }];
  });
}

/** Returns the name with the next free number. `used` holds the last number of each name, to save a search. */
function unusedAnchor(wanted: string, used: Map<string, number>): string {
  let anchor = wanted;
  let number = used.get(wanted) ?? 0;
  while (used.has(anchor)) anchor = `${wanted}-${Math.max(2, ++number)}`;
  used.set(wanted, number);
  used.set(anchor, used.get(anchor) ?? 0);
  return anchor;
}
