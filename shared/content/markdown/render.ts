import type { TocEntry } from "../../../models/content/wiki-page.ts";
import type { ImageRules } from "../../net/image-address.ts";
import type { PageSlugs } from "./wiki-links.ts";

/** Goes up with every change of what is made of a text: what an older one made is made anew. */
export const rendererVersion = 3;

/** What is made of a text when it is saved. */
export interface Rendered {
  readonly html: string;
  readonly toc: readonly TocEntry[];
  /** Without markup, for the search. */
  readonly text: string;
  /** The beginning, where nobody wrote an excerpt. */
  readonly excerpt: string;
}

/** What the rendering of a text asks of the site. */
export interface TextSite {
  /** Tells the slugs of pages of the wiki that are linked by their titles. */
  readonly findSlugs: (titles: readonly string[]) => Promise<PageSlugs>;
  readonly images: ImageRules;
}

/** Renders markdown to HTML that is safe to be shown. */
export async function renderMarkdown(source: string, site: TextSite): Promise<Rendered> {
  const { render } = await loadRenderer();
  return render(source, site);
}

// A hundred files that most processes never need: they are loaded with the first text.
const loadRenderer = () => import("./renderer.ts");
