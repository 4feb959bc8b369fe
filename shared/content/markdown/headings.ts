import type { Token } from "markdown-it";

import type { TocEntry } from "../../../models/content/wiki-page.ts";
import { slugOf } from "../text/slugs.ts";
import { textOf } from "./plain-text.ts";

/**
 * Gives each heading an anchor, and tells of all in their order. The prefix keeps an anchor from
 * being the name of something that scripts of the web app use.
 */
export function anchorHeadings(tokens: readonly Token[]): TocEntry[] {
  const used = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    const content = tokens[index + 1];
    if (token.type !== "heading_open" || !content) return [];
    const text = textOf(content);
    const anchor = unusedAnchor(`h-${slugOf(text) || "section"}`, used);
    token.attrSet("id", anchor);
    return [{ level: Number(token.tag.slice(1)), text, anchor }];
  });
}

/** Each name remembers its last number: a text of many equal headings would be counted anew. */
function unusedAnchor(wanted: string, used: Map<string, number>): string {
  let anchor = wanted;
  let number = used.get(wanted) ?? 0;
  while (used.has(anchor)) anchor = `${wanted}-${Math.max(2, ++number)}`;
  used.set(wanted, number);
  used.set(anchor, used.get(anchor) ?? 0);
  return anchor;
}
