import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import footnotePlugin from "markdown-it-footnote";

/** How deep a definition lies in other footnotes, by the environment of the parsed text. */
const depths = new WeakMap<object, number>();

/**
 * Teaches the parser `[^name]` and `[^name]: the note`. Notes within the text, `^[note]`, stay as they
 * are typed: a caret before a link is no footnote.
 */
export function footnotes(markdown: MarkdownIt): void {
  markdown.use(footnotePlugin);
  markdown.inline.ruler.disable("footnote_inline");
  const define = namedRule(markdown.block.ruler.getRules(""), "footnote_def");
  const refer = namedRule(markdown.inline.ruler.getRules(""), "footnote_ref");
  markdown.block.ruler.at("footnote_def", outsideOfFootnotes(define), {
    alt: ["paragraph", "reference"],
  });
  markdown.inline.ruler.at("footnote_ref", outsideOfLinks(refer));
}

type BlockRule = (state: StateBlock, start: number, end: number, silent: boolean) => boolean;
type InlineRule = (state: StateInline, silent: boolean) => boolean;

/** The plugin loses the text of a footnote that holds the definition of another one. */
const outsideOfFootnotes =
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

/** A reference is a link, and HTML allows no link within a link. */
const outsideOfLinks =
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
