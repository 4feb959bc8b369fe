import { LRUCache } from "lru-cache";
import markdownIt, { type Env, type MarkdownIt } from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";

import { linkSchemes } from "../../platform/config/link-schemes.ts";
import { keepDeepText } from "./deep-text.ts";
import { noteDefinitions } from "./definitions.ts";
import { reportDroppedCells } from "./dropped-cells.ts";
import { footnotes } from "./footnotes.ts";
import { notePositions } from "./refuse-parts.ts";
import { RemovedParts } from "./removed-parts.ts";
import { wikiLinks } from "./wiki-links.ts";

/** What the rules of one rendering are given. */
export interface Environment extends Env {
  /** Stands in the ids of footnotes. */
  readonly docId: string;
  readonly removed: RemovedParts;
}

/** Addresses that stand bare in a text become links with these alone: `mailto:` and `tel:` have no `//`. */
const withoutHost = ["mailto", "tel"];

/** `//`, a host and what follows it, as after `http:`. */
const hostAndPath: NonNullable<Parameters<MarkdownIt["linkify"]["add"]>[1]> = {
  validate(text, position, { re }) {
    const pattern = re.get_http_validator();
    pattern.lastIndex = position;
    return pattern.exec(text)?.[0].length ?? 0;
  },
};

/** A process has one configuration; tests have several. */
const parsers = new LRUCache<string, MarkdownIt>({ max: 8 });

/** The parser of texts in which links may have these schemes beside the standard ones. */
export function parserFor(addedSchemes: readonly string[]): MarkdownIt {
  const key = addedSchemes.join();
  const known = parsers.get(key);
  if (known) return known;
  const parser = createParser(linkSchemes(addedSchemes));
  parsers.set(key, parser);
  return parser;
}

function createParser(schemes: readonly string[]): MarkdownIt {
  // Raw HTML is shown as text: what somebody wrote is never a tag.
  const markdown = markdownIt({ html: false, linkify: true })
    .use(cjkFriendly)
    .use(footnotes)
    .use(keepDeepText)
    .use(wikiLinks)
    .use(noteDefinitions)
    .use(notePositions);
  // Pipes of links are still hidden right after the blocks are parsed.
  markdown.core.ruler.after("block", "report_dropped_cells", (state) => {
    const { removed } = state.env;
    if (removed instanceof RemovedParts) reportDroppedCells(state, removed);
  });
  // Every link is parsed as one, and `refuseParts` then decides by one rule and reports what it refuses.
  markdown.validateLink = () => true;
  linkifyAddresses(markdown, schemes);
  return markdown;
}

/** Parts of a file name are no websites: only an address with its scheme becomes a link by itself. */
function linkifyAddresses({ linkify }: MarkdownIt, schemes: readonly string[]): void {
  linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  linkify.add("ftp:", null).add("//", null);
  for (const scheme of schemes) {
    if (!withoutHost.includes(scheme)) linkify.add(`${scheme}:`, hostAndPath);
  }
}
