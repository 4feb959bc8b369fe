import markdownIt from "markdown-it";

import { type ImageRules, isImageSource } from "../../net/image-address.ts";
import { fitForXml } from "../text/clean.ts";
import { anchorHeadings } from "./headings.ts";
import { firstParagraph, plainText, textOf } from "./plain-text.ts";
import type { Rendered, TextSite } from "./render.ts";
import { sanitize } from "./sanitize.ts";
import { addressLinks, linkedTitles, wikiLinks } from "./wiki-links.ts";

// Raw HTML is shown as text: what somebody wrote is never a tag.
const markdown = markdownIt({ html: false, linkify: true }).use(wikiLinks);
// Parts of a file name are no websites: only an address with its scheme becomes a link by itself.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

const { escapeHtml } = markdown.utils;
const { rules } = markdown.renderer;
const renderImage = rules.image;

/** What the rules of one rendering are given. */
type Environment = {
  readonly images: ImageRules;
};

/** An image that may not be loaded leaves the text that stands for it. */
rules.image = (...given) => {
  const [tokens, index, , environment] = given;
  const image = tokens[index];
  const { images } = environment as Environment;
  const source = String(image?.attrGet("src") ?? "");
  if (image && !isImageSource(source, images)) return escapeHtml(textOf(image));
  return renderImage?.(...given) ?? "";
};

export async function render(source: string, { findSlugs, images }: TextSite): Promise<Rendered> {
  const environment: Environment = { images };
  const tokens = markdown.parse(source, environment);
  const titles = linkedTitles(tokens);
  addressLinks(tokens, titles.length > 0 ? await findSlugs(titles) : new Map());
  const toc = anchorHeadings(tokens);
  const html = markdown.renderer.render(tokens, markdown.options, environment);
  return {
    // An entity, as `&#12;`, may name a character that no text may have.
    html: fitForXml(sanitize(html, images)),
    toc,
    text: plainText(tokens),
    excerpt: firstParagraph(tokens),
  };
}
