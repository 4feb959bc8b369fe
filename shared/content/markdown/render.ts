import { createHash } from "node:crypto";

import type { TocEntry } from "../../../models/content/wiki-page.ts";
import type { Config } from "../../platform/config/config.ts";
import type { ImageRules } from "../../platform/net/image-address.ts";
import type { RemovedPart } from "./removed-parts.ts";
import type { PageSlugs } from "./wiki-links.ts";

/**
 * Increase this number with every change of the HTML or the search words, so that older texts are rendered
 * again. Also increase it if a Node.js release has another dictionary of Thai, Lao, Khmer or Burmese: the
 * dictionary splits their texts into search words.
 */
export const rendererVersion = 5;

/** The results of rendering one text. */
export interface RenderedText {
  readonly html: string;
  /** A placeholder for the document's name in the footnote ids of `html`, random for each rendering. */
  readonly footnoteKey: string;
  readonly toc: readonly TocEntry[];
  /** The text without markup, for the search. */
  readonly text: string;
  /** The first paragraph, for posts without an excerpt of their own. */
  readonly excerpt: string;
  /** The parts that are not shown as written. */
  readonly removed: readonly RemovedPart[];
}

/** The site's data and rules that rendering a text needs. */
export interface RenderContext {
  readonly findSlugs: (titles: readonly string[]) => Promise<PageSlugs>;
  readonly images: ImageRules;
  /** The schemes of `CONTENT_LINK_SCHEMES`. */
  readonly linkSchemes?: readonly string[];
}

/** Renders markdown to sanitized HTML. */
export async function renderMarkdown(source: string, site: RenderContext): Promise<RenderedText> {
  const { renderSource: render } = await loadRenderer();
  return render(source, site);
}

// The renderer has about 100 files that most processes never need, so load it at the first call.
const loadRenderer = () => import("./renderer.ts");

/** A document's name by kind and slug. It keeps footnote ids unique if a page shows several documents. */
export type FootnoteIdPrefix = `${"post" | "wiki" | "page"}-${string}` | "preview";

/** Returns the HTML with the document's name in the ids of its footnotes. */
export const insertDocumentName = (
  { html, footnoteKey }: Pick<RenderedText, "html" | "footnoteKey">,
  name: FootnoteIdPrefix,
): string => html.replaceAll(footnoteKey, name);

type RenderRules = Pick<
  Config,
  "PUBLIC_BASE_URL" | "ALLOWED_ORIGINS" | "CONTENT_IMAGE_PATHS" | "CONTENT_LINK_SCHEMES"
>;

/** Returns a digest of the configured rules. A text with another digest is stale. */
export function digestRenderRules(config: RenderRules): string {
  const { PUBLIC_BASE_URL, ALLOWED_ORIGINS, CONTENT_IMAGE_PATHS, CONTENT_LINK_SCHEMES } = config;
  const rules = [PUBLIC_BASE_URL, ALLOWED_ORIGINS, CONTENT_IMAGE_PATHS, CONTENT_LINK_SCHEMES];
  return createHash("sha256").update(JSON.stringify(rules)).digest("base64url").slice(0, 16);
}

export const renderedColumns = (
  rendered: RenderedText,
  name: FootnoteIdPrefix,
  config: RenderRules,
) => ({
  bodyHtml: insertDocumentName(rendered, name),
  renderer: rendererVersion,
  renderRules: digestRenderRules(config),
});
