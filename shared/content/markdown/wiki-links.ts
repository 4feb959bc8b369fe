import type { MarkdownIt, StateCore, StateInline, Token } from "markdown-it";

import { slugOf } from "../text/slugs.ts";

/** What a `[[link]]` names: a page of the wiki by title or slug, and perhaps a heading of it. */
type WikiTarget = {
  readonly title: string;
  readonly heading: string | undefined;
};

/** The slug of each title that a page of the wiki bears. */
export type PageSlugs = ReadonlyMap<string, string>;

/** `[[Title]]`, `[[Title#Heading]]`, `[[Title|what is shown]]`; bounded, so that no text is slow. */
const pattern = /\[\[([^[\]|#\n]{1,150})(?:#([^[\]|\n]{1,150}))?(?:\|([^[\]\n]{1,150}))?\]\]/y;

/** A link up to its pipe. A backslash before either sign makes it a part of the text. */
const beforePipe =
  /(?<!\\)(\[\[[^[\]|#\n]{1,150}(?:#[^[\]|\n]{1,150})?)(?<!\\)\|(?=[^[\]\n]{1,150}\]\])/g;

/** Stands for the pipe of a link while tables are cut into cells. The parser removes it from all texts before. */
const hiddenPipe = "\u0000";

/** Tells these links from others. */
const markup = "[[";

/** Teaches the parser links to pages of the wiki. */
export function wikiLinks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before("link", "wiki_link", parseWikiLink);
  markdown.core.ruler.after("normalize", "hide_wiki_pipes", (state) => {
    state.src = hidePipes(state.src);
  });
  markdown.core.ruler.after("block", "show_wiki_pipes", showPipesOfTokens);
}

/** Keeps a table from taking the pipe of `[[Page|words]]` for the end of a cell. */
const hidePipes = (source: string): string => source.replaceAll(beforePipe, `$1${hiddenPipe}`);

export const showPipes = (text: string): string => text.replaceAll(hiddenPipe, "|");

function showPipesOfTokens({ tokens, env }: StateCore): void {
  for (const token of tokens) {
    token.content = showPipes(token.content);
    token.info = showPipes(token.info);
  }
  for (const reference of Object.values(env.references ?? {})) {
    reference.title = showPipes(reference.title);
    // The parser has encoded the address by then.
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
  link.markup = markup;
  link.meta = target;
  state.push("text", "", 0).content = label;
  state.push("link_close", "a", -1);
}

/** The titles that a parsed text links to, each once. */
export const linkedTitles = (tokens: readonly Token[]): string[] => [
  ...new Set(linksIn(tokens).map(({ meta }) => (meta as WikiTarget).title)),
];

/** Gives the links of a parsed text their addresses: the page's slug, or else that of its title. */
export function addressLinks(tokens: readonly Token[], slugs: PageSlugs): void {
  for (const link of linksIn(tokens)) {
    const { title, heading } = link.meta as WikiTarget;
    const anchor = heading === undefined ? "" : `#h-${slugOf(heading)}`;
    link.attrSet("href", `/wiki/${slugs.get(title) ?? slugOf(title)}${anchor}`);
  }
}

const linksIn = (tokens: readonly Token[]): Token[] =>
  tokens
    .flatMap(({ children }) => children ?? [])
    .filter((token) => token.type === "link_open" && token.markup === markup);
