import type { MarkdownIt, StateBlock } from "markdown-it";

/** The parser drops the rest of a text at 100 levels of lists and quotes; the text stays from here on. */
const deepestLevel = 90;

/** Keeps what lies too deep in lists and quotes as plain paragraphs. */
export function keepDeepText(markdown: MarkdownIt): void {
  const { block } = markdown;
  const tokenize = block.tokenize.bind(block);
  block.tokenize = (state, start, end) => {
    if (state.level < deepestLevel) tokenize(state, start, end);
    else pushParagraph(state, start, end);
  };
}

/** The lines of the innermost list item or quote as one paragraph. */
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
