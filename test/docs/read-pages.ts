import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import GithubSlugger from "github-slugger";
import MarkdownIt, { type Token } from "markdown-it";

import { projectFolder } from "../../jobs/commands/launch/script.ts";

export interface Link {
  readonly to: string;
  /** The line on which the paragraph begins, counted from 1. */
  readonly line: number;
}

export interface Image extends Link {
  /** The alternative text of the image. */
  readonly alt: string;
}

export interface Block {
  /** The info string after the opening fence, for example `sh demo` or `json output`. */
  readonly info: string;
  readonly text: string;
  readonly line: number;
}

/** A Markdown file of the documentation. */
export interface Page {
  /** The path from the project's folder, with slashes. */
  readonly name: string;
  readonly lines: readonly string[];
  readonly title: string | undefined;
  /** The paragraph below the title, which says for whom the page is. */
  readonly purpose: string | undefined;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly Link[];
  readonly images: readonly Image[];
  /** The texts that stand in backquotes. */
  readonly codes: readonly Link[];
  readonly blocks: readonly Block[];
}

const markdown = new MarkdownIt();

const lineOf = ({ map }: Token): number => (map?.[0] ?? 0) + 1;

/** Returns the text of a heading as GitHub uses it for the anchor. */
const wordsOf = ({ children }: Token): string =>
  (children ?? []).map(({ content }) => content).join("");

export function readPage(name: string): Page {
  const text = readFileSync(path.join(projectFolder, name), "utf8");
  const tokens = markdown.parse(text, {});
  const after = (type: string, tag: string): Token | undefined => {
    const at = tokens.findIndex((token) => token.type === type && token.tag === tag);
    return at === -1 ? undefined : tokens[at + 1];
  };
  const slugger = new GithubSlugger();
  const headings = tokens.filter((_, at) => tokens[at - 1]?.type === "heading_open");
  const inline = tokens.flatMap((token) =>
    (token.children ?? []).map((child) => ({ child, line: lineOf(token) })),
  );
  const [second] = tokens.slice(3);
  return {
    name,
    lines: text.trimEnd().split("\n"),
    title: after("heading_open", "h1")?.content,
    purpose: second?.type === "paragraph_open" ? tokens[4]?.content : undefined,
    anchors: new Set(headings.map((heading) => slugger.slug(wordsOf(heading)))),
    links: inline
      .filter(({ child }) => child.type === "link_open" || child.type === "image")
      .map(({ child, line }) => ({
        to: String(child.attrGet("href") ?? child.attrGet("src") ?? ""),
        line,
      })),
    images: inline
      .filter(({ child }) => child.type === "image")
      .map(({ child, line }) => ({
        to: String(child.attrGet("src") ?? ""),
        alt: child.content,
        line,
      })),
    codes: inline
      .filter(({ child }) => child.type === "code_inline")
      .map(({ child, line }) => ({ to: child.content, line })),
    blocks: tokens
      .filter(({ type }) => type === "fence")
      .map((token) => ({ info: token.info.trim(), text: token.content, line: lineOf(token) })),
  };
}

/** Reads the README and all pages below `docs/`. */
export const readPages = (): readonly Page[] =>
  ["README.md", ...globSync("docs/**/*.md", { cwd: projectFolder }).toSorted()].map(readPage);
