import { LRUCache } from "lru-cache";
import markdownIt, {
  type Env,
  type MarkdownIt,
  type StateBlock,
  type StateCore,
  type StateInline,
} from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import footnotePlugin from "markdown-it-footnote";

import { linkSchemes } from "../../platform/config/link-schemes.ts";
import { trackDefinitions } from "./definitions.ts";
import { trackLinkPositions } from "./forbidden-parts.ts";
import { RemovedParts } from "./removed-parts.ts";
import { addWikiLinks, restoreHiddenPipes } from "./wiki-links.ts";

/** For each text's environment, the number of footnotes around the definition that is being parsed. */
const depths = new WeakMap<object, number>();

/**
 * Adds `[^name]` and `[^name]: the note` to the parser. Inline notes, `^[note]`, stay plain text, because a
 * caret before a link is not meant as a footnote.
 */
function addFootnotes(markdown: MarkdownIt): void {
  markdown.use(footnotePlugin);
  markdown.inline.ruler.disable("footnote_inline");
  const define = namedRule(markdown.block.ruler.getRules(""), "footnote_def");
  const refer = namedRule(markdown.inline.ruler.getRules(""), "footnote_ref");
  markdown.block.ruler.at("footnote_def", skipNestedDefinitions(define), {
    alt: ["paragraph", "reference"],
  });
  markdown.inline.ruler.at("footnote_ref", skipReferencesInLinks(refer));
}

type BlockRule = (state: StateBlock, start: number, end: number, silent: boolean) => boolean;
type InlineRule = (state: StateInline, silent: boolean) => boolean;

/** Ignores definitions within a footnote: the plugin loses the text of a footnote that contains another one. */
const skipNestedDefinitions =
  (define: BlockRule): BlockRule =>
  (state, start, end, silent) => {
    const depth = depths.get(state.env) ?? 0;
    if (depth > 0) return false;
    depths.set(state.env, depth + 1);
    try {
      return define(state, start, end, silent);
    } finally {
      depths.set(state.env, depth);
    }
  };

/** Ignores references within a link: a reference is a link, and HTML forbids nested links. */
const skipReferencesInLinks =
  (refer: InlineRule): InlineRule =>
  (state, silent) =>
    state.linkLevel === 0 && refer(state, silent);

function namedRule<Rule extends { readonly name: string }>(
  rules: readonly Rule[],
  name: string,
): Rule {
  const rule = rules.find((one) => one.name === name);
  if (!rule) throw new Error(`The parser has no rule ${name}`);
  return rule;
}

/** The input of the parser's rules for one text. */
export interface ParserEnvironment extends Env {
  /** The document's name in the ids of footnotes. */
  readonly docId: string;
  readonly removed: RemovedParts;
}

/** Schemes without `//`. A bare address in a text becomes a link with these schemes only. */
const hostlessSchemes = ["mailto", "tel"];

/** Matches `//`, a host and a path after a scheme such as `http:`. */
const hostAndPath: NonNullable<Parameters<MarkdownIt["linkify"]["add"]>[1]> = {
  validate(text, position, { re }) {
    const pattern = re.get_http_validator();
    pattern.lastIndex = position;
    return pattern.exec(text)?.[0].length ?? 0;
  },
};

/** Parsers by their additional schemes. A process has one configuration, but tests use several. */
const parsers = new LRUCache<string, MarkdownIt>({ max: 8 });

/** Returns the parser for texts whose links can have these schemes in addition to the standard ones. */
export function getParser(addedSchemes: readonly string[]): MarkdownIt {
  const key = addedSchemes.join();
  const known = parsers.get(key);
  if (known) return known;
  const parser = createParser(linkSchemes(addedSchemes));
  parsers.set(key, parser);
  return parser;
}

function createParser(schemes: readonly string[]): MarkdownIt {
  // Raw HTML is shown as text, so authors cannot write tags.
  const markdown = markdownIt({ html: false, linkify: true })
    .use(cjkFriendly)
    .use(addFootnotes)
    .use(keepDeepText)
    .use(addWikiLinks)
    .use(trackDefinitions)
    .use(trackLinkPositions);
  // Run this before the rule that restores the pipes of links: `cellsOf` must not split at those pipes.
  markdown.core.ruler.after("block", "report_dropped_cells", (state) => {
    const { removed } = state.env;
    if (removed instanceof RemovedParts) reportDroppedCells(state, removed);
  });
  // Accept every address here. `removeForbiddenMarkup` checks all links later and reports those it removes.
  markdown.validateLink = () => true;
  linkifyAddresses(markdown, schemes);
  return markdown;
}

/** Turns bare addresses into links only if they have a scheme, because a file name can look like a host. */
function linkifyAddresses({ linkify }: MarkdownIt, schemes: readonly string[]): void {
  linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  linkify.add("ftp:", null).add("//", null);
  for (const scheme of schemes) {
    if (!hostlessSchemes.includes(scheme)) linkify.add(`${scheme}:`, hostAndPath);
  }
}

/**
 * The parser drops text at 100 levels of lists and quotes. From this level on, `keepDeepText` keeps it as
 * paragraphs.
 */
const deepestLevel = 90;

/** Keeps text that is nested too deeply in lists and quotes, as plain paragraphs. */
function keepDeepText(markdown: MarkdownIt): void {
  const { block } = markdown;
  const tokenize = block.tokenize.bind(block);
  block.tokenize = (state, start, end) => {
    if (state.level < deepestLevel) tokenize(state, start, end);
    else pushParagraph(state, start, end);
  };
}

/** Adds the lines of the innermost list item or quote as one paragraph. */
function pushParagraph(state: StateBlock, start: number, end: number): void {
  let line = start + 1;
  while (line < end && (state.isEmpty(line) || isWithin(state, line))) line++;
  const content = state.getLines(start, line, state.blkIndent, false).trim();
  if (content !== "") {
    state.push("paragraph_open", "p", 1).map = [start, line];
    const inline = state.push("inline", "", 0);
    inline.content = content;
    inline.map = [start, line];
    inline.children = [];
    state.push("paragraph_close", "p", -1);
  }
  state.line = line;
}

const isWithin = ({ sCount, blkIndent }: StateBlock, line: number): boolean =>
  (sCount[line] ?? 0) >= blkIndent;

/**
 * Reports cells beyond the width of their table: the parser drops them. Call it while the pipes of links are
 * hidden.
 */
function reportDroppedCells({ tokens, src }: StateCore, removed: RemovedParts): void {
  if (!tokens.some(({ type }) => type === "table_open")) return;
  const lines = src.split("\n");
  let line = 0;
  let width = 0;
  for (const { type, map } of tokens) {
    if (type === "tr_open") [line, width] = [map?.[0] ?? line, 0];
    if (type === "td_open" || type === "th_open") width++;
    if (type !== "tr_close") continue;
    const text = cellsOf(lines[line] ?? "")
      .slice(width)
      .join("|")
      .trim();
    if (text !== "") {
      removed.add({ rule: "table_width", line: line + 1, text: restoreHiddenPipes(text) });
    }
  }
}

/** Splits a source line of a table into its cells. The line can be within quotes. */
function cellsOf(row: string): string[] {
  const cells = row.replace(/^[\s>]+/, "").split(/(?<!\\)\|/);
  return cells[0] === "" ? cells.slice(1) : cells;
}
