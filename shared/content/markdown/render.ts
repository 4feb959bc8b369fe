import { createHash } from "node:crypto";

import type { TocEntry } from "../../../models/content/wiki-page.ts";
import type { Config } from "../../platform/config/config.ts";
import type { ImageRules } from "../../platform/net/image-address.ts";
import type { RemovedPart } from "./removed-parts.ts";
import type { PageSlugs } from "./wiki-links.ts";

/**
 * Goes up with every change of what is made of a text, its words in the search among it: what an older
 * version made is made anew. A release of Node.js with another dictionary of Thai, Lao, Khmer or
 * Burmese words changes those words too.
 */
export const rendererVersion = 5;

/** What is made of a text when it is saved. */
export interface Rendered {
  /** The ids of its footnotes hold `footnoteKey`. */
  readonly html: string;
  /** Stands for the document's name in the ids of footnotes; drawn at random for each rendering. */
  readonly footnoteKey: string;
  readonly toc: readonly TocEntry[];
  /** Without markup, for the search. */
  readonly text: string;
  /** The beginning, where nobody wrote an excerpt. */
  readonly excerpt: string;
  /** What is not shown as it was written. */
  readonly removed: readonly RemovedPart[];
}

/** What the rendering of a text asks of the site. */
export interface TextSite {
  /** Tells the slugs of pages of the wiki that are linked by their titles. */
  readonly findSlugs: (titles: readonly string[]) => Promise<PageSlugs>;
  readonly images: ImageRules;
  /** Those of `CONTENT_LINK_SCHEMES`; none when absent. */
  readonly linkSchemes?: readonly string[];
}

/** Renders markdown to HTML that is safe to be shown. */
export async function renderMarkdown(source: string, site: TextSite): Promise<Rendered> {
  const { render } = await loadRenderer();
  return render(source, site);
}

// A hundred files that most processes never need: they are loaded with the first text.
const loadRenderer = () => import("./renderer.ts");

/** Documents by kind and slug, so that the ids of footnotes differ between documents on one page. */
export type DocumentName = `${"post" | "wiki" | "page"}-${string}` | "preview";

/** The HTML with the document's name in the ids of its footnotes. */
export const htmlOf = (
  { html, footnoteKey }: Pick<Rendered, "html" | "footnoteKey">,
  name: DocumentName,
): string => html.replaceAll(footnoteKey, name);

/** The configuration that rendered texts follow. */
type RenderRules = Pick<
  Config,
  "PUBLIC_BASE_URL" | "ALLOWED_ORIGINS" | "CONTENT_IMAGE_PATHS" | "CONTENT_LINK_SCHEMES"
>;

/** A digest of the rules, by which a text that was rendered under other ones is found. */
export function digestRules(config: RenderRules): string {
  const { PUBLIC_BASE_URL, ALLOWED_ORIGINS, CONTENT_IMAGE_PATHS, CONTENT_LINK_SCHEMES } = config;
  const rules = [PUBLIC_BASE_URL, ALLOWED_ORIGINS, CONTENT_IMAGE_PATHS, CONTENT_LINK_SCHEMES];
  return createHash("sha256").update(JSON.stringify(rules)).digest("base64url").slice(0, 16);
}

/** What every kind of text stores of its rendering. */
export const renderedColumns = (rendered: Rendered, name: DocumentName, config: RenderRules) => ({
  bodyHtml: htmlOf(rendered, name),
  renderer: rendererVersion,
  renderRules: digestRules(config),
});
