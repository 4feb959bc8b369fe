import markdownIt from "markdown-it";

import { fitForXml } from "../text/clean.ts";
import { isImageSource } from "./addresses.ts";
import { anchorHeadings } from "./headings.ts";
import { firstParagraph, plainText, textOf } from "./plain-text.ts";
import type { Rendered } from "./render.ts";
import { sanitize } from "./sanitize.ts";
import { addressLinks, linkedTitles, type PageSlugs, wikiLinks } from "./wiki-links.ts";

// Raw HTML is shown as text: what somebody wrote is never a tag.
const markdown = markdownIt({ html: false, linkify: true }).use(wikiLinks);
// Parts of a file name are no websites: only an address with its scheme becomes a link by itself.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

const { escapeHtml } = markdown.utils;
const { rules } = markdown.renderer;
const renderImage = rules.image;

/** An image that may not be loaded leaves the text that stands for it. */
rules.image = (...given) => {
  const [tokens, index] = given;
  const image = tokens[index];
  if (image && !isImageSource(String(image.attrGet("src") ?? ""))) return escapeHtml(textOf(image));
  return renderImage?.(...given) ?? "";
};

/** @param findSlugs tells the slugs of pages of the wiki that are linked by their titles */
export async function render(
  source: string,
  findSlugs: (titles: readonly string[]) => Promise<PageSlugs>,
): Promise<Rendered> {
  const environment = {};
  const tokens = markdown.parse(source, environment);
  const titles = linkedTitles(tokens);
  addressLinks(tokens, titles.length > 0 ? await findSlugs(titles) : new Map());
  const toc = anchorHeadings(tokens);
  const html = markdown.renderer.render(tokens, markdown.options, environment);
  return {
    // An entity, as `&#12;`, may name a character that no text may have.
    html: fitForXml(sanitize(html)),
    toc,
    text: plainText(tokens),
    excerpt: firstParagraph(tokens),
  };
}
