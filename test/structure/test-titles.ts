import { readFileSync } from "node:fs";

import { parseSync, Visitor } from "vite";

const namesOfTests = /^(?:describe|it|test|inRounds)/;

/**
 * Returns the path of every test and group in a file: the titles of the groups around it, and its own.
 * Template titles are returned as written.
 */
export function readTitles(file: string): string[][] {
  const source = readFileSync(file, "utf8");
  const around: string[] = [];
  const paths: string[][] = [];
  const titled = new WeakSet<object>();
  const visitor = new Visitor({
    CallExpression(call) {
      const title = titleOf(call.arguments[0]);
      if (title === null || !namesOfTests.test(rootOf(call.callee))) return;
      titled.add(call);
      around.push(title);
      paths.push([...around]);
    },
    "CallExpression:exit"(call) {
      if (titled.has(call)) around.pop();
    },
  });
  visitor.visit(parseSync(file, source).program);
  return paths;

  /** Returns the first name of a call: `it` for `it.each([…])(…)`. */
  function rootOf({ start }: { readonly start: number }): string {
    return /^\w+/.exec(source.slice(start, start + 40))?.[0] ?? "";
  }

  function titleOf(node: { readonly type: string; start: number; end: number } | undefined) {
    if (node?.type === "Literal") return stringOf(source.slice(node.start, node.end));
    if (node?.type === "TemplateLiteral") return source.slice(node.start + 1, node.end - 1);
    return null;
  }
}

/** Returns the text of a string literal; null for other literals. */
function stringOf(literal: string): string | null {
  if (!/^["']/.test(literal)) return null;
  return literal.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}
