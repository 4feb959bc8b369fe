import type { MarkdownIt, StateCore, StateInline, Token } from "markdown-it";

import { slugOf } from "../text/slugs.ts";

/** The target of a `[[link]]`: a wiki page by title or slug, and optionally one of its headings. */
type WikiTarget = {
  readonly title: string;
  readonly heading: string | undefined;
};

/** The slugs of wiki pages by title. */
export type PageSlugs = ReadonlyMap<string, string>;

/**
 * Matches `[[Title]]`, `[[Title#Heading]]`, `[[Title|label]]`. The lengths are limited, which limits the matching
 * time.
 */
const pattern = /\[\[([^[\]|#\n]{1,150})(?:#([^[\]|\n]{1,150}))?(?:\|([^[\]\n]{1,150}))?\]\]/y;

/** A link up to its pipe. A backslash before the bracket or the pipe makes that character plain text. */
const beforePipe =
  /(?<!\\)(\[\[[^[\]|#\n]{1,150}(?:#[^[\]|\n]{1,150})?)(?<!\\)\|(?=[^[\]\n]{1,150}\]\])/g;

/** Replaces the pipe of a link while tables are split into cells. The parser removes this character from sources. */
const hiddenPipe = "\u0000";

/** The markup of a wiki link's token; other links lack it. */
const wikiLinkMarkup = "[[";

export function addWikiLinks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before("link", "wiki_link", parseWikiLink);
  markdown.core.ruler.after("normalize", "hide_wiki_pipes", (state) => {
    state.src = hidePipes(state.src);
  });
  markdown.core.ruler.after("block", "show_wiki_pipes", showPipesOfTokens);
}

/** Keeps the pipe of `[[Page|label]]` from ending a table cell. */
const hidePipes = (source: string): string => source.replaceAll(beforePipe, `$1${hiddenPipe}`);

export const restoreHiddenPipes = (text: string): string => text.replaceAll(hiddenPipe, "|");

function showPipesOfTokens({ tokens, env }: StateCore): void {
  for (const token of tokens) {
    token.content = restoreHiddenPipes(token.content);
    token.info = restoreHiddenPipes(token.info);
  }
  for (const reference of Object.values(env.references ?? {})) {
    reference.title = restoreHiddenPipes(reference.title);
    // The parser has already encoded the hidden pipe in the address as `%00`.
    reference.href = reference.href.replaceAll("%00", "%7C");
  }
}

function parseWikiLink(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("[[", state.pos)) return false;
  pattern.lastIndex = state.pos;
  const [whole, title = "", heading, label] = pattern.exec(state.src) ?? [];
  if (whole === undefined || slugOf(title) === "") return false;
  if (!silent) pushLink(state, { title: title.trim(), heading }, (label ?? title).trim());
  state.pos += whole.length;
  return true;
}

function pushLink(state: StateInline, target: WikiTarget, label: string): void {
  const link = state.push("link_open", "a", 1);
  link.markup = wikiLinkMarkup;
  link.meta = target;
  state.push("text", "", 0).content = label;
  state.push("link_close", "a", -1);
}

/** Returns the titles that a parsed text links to, without duplicates. */
export const linkedTitles = (tokens: readonly Token[]): string[] => [
  ...new Set(findWikiLinks(tokens).map(({ meta }) => (meta as WikiTarget).title)),
];

/** Sets the addresses of a parsed text's wiki links. A title without a page gets the slug of the title. */
export function setLinkTargets(tokens: readonly Token[], slugs: PageSlugs): void {
  for (const link of findWikiLinks(tokens)) {
    const { title, heading } = link.meta as WikiTarget;
    const anchor = heading === undefined ? "" : `#h-${slugOf(heading)}`;
    link.attrSet("href", `/wiki/${slugs.get(title) ?? slugOf(title)}${anchor}`);
  }
}

const findWikiLinks = (tokens: readonly Token[]): Token[] =>
  tokens
    .flatMap(({ children }) => children ?? [])
    .filter((token) => token.type === "link_open" && token.markup === wikiLinkMarkup);
