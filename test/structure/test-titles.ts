import { readFileSync } from "node:fs";

import { parseSync, Visitor } from "vite";

const namesOfTests = /^(?:describe|it|test|repeatRace)/;

/**
 * Returns the titles of all tests and groups of a file. Each title follows the titles of the groups
 * around it. A template is returned as it is written.
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

  /** Returns the name with which a call begins: `it` for `it.each([…])(…)`. */
  function rootOf({ start }: { readonly start: number }): string {
    return /^\w+/.exec(source.slice(start, start + 40))?.[0] ?? "";
  }

  function titleOf(node: { readonly type: string; start: number; end: number } | undefined) {
    if (node?.type === "Literal") return stringOf(source.slice(node.start, node.end));
    if (node?.type === "TemplateLiteral") return source.slice(node.start + 1, node.end - 1);
    return null;
  }
}

/** Returns the text of a string literal, or null for another literal. */
function stringOf(literal: string): string | null {
  if (!/^["']/.test(literal)) return null;
  return literal.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}
