import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import footnotePlugin from "markdown-it-footnote";

/** For each text's environment, the number of footnotes around the definition that is being parsed. */
const depths = new WeakMap<object, number>();

/**
 * Adds `[^name]` and `[^name]: the note` to the parser. Inline notes, `^[note]`, stay plain text, because a
 * caret before a link is not meant as a footnote.
 */
export function addFootnotes(markdown: MarkdownIt): void {
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
