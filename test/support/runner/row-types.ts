import path from "node:path";

import type { Node, SourceFile, TypeNode } from "typescript/unstable/ast";
import { isCallExpression, isIdentifier } from "typescript/unstable/ast/is";
import { API, type Checker, type Type, TypeFlags } from "typescript/unstable/sync";

import type { RowShape, RowShapes, ValueSort } from "./row-shapes.ts";

/** The columns of a declared row type, each with the types of values that it may have. */
export type RowType = Readonly<Record<string, readonly (ValueSort | "any" | "undefined")[]>>;
/**
 * The declared row types, by the place of the call, for example `shared/site/dashboard.ts:21:9`.
 */
export type RowTypes = Readonly<Record<string, RowType>>;

/** Reads the row types of all `rows<Row>(…)` and `firstRow<Row>(…)` in the code of the service. */
export function readRowTypes(root: string): RowTypes {
  // This API of TypeScript is not stable yet. `package.json` pins the version.
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProject: path.join(root, "tsconfig.json") });
    const [project] = snapshot.getProjects();
    if (!project) throw new Error("tsconfig.json is no project");
    const { program, checker } = project;
    const names = program
      .getSourceFileNames()
      .filter((name) => isOfService(path.relative(root, name)));
    return Object.fromEntries(
      names.flatMap((name) => {
        const source = program.getSourceFile(name);
        return source ? typesIn(path.relative(root, name), source, checker) : [];
      }),
    );
  } finally {
    api.close();
  }
}

const isOfService = (file: string): boolean => /^(?:shared|api|jobs|models)\//.test(file);

function typesIn(file: string, source: SourceFile, checker: Checker): [string, RowType][] {
  if (!/\b(?:rows|firstRow)</.test(source.text)) return [];
  return readsOf(source).flatMap(({ node, argument }): [string, RowType][] => {
    const type = checker.getTypeFromTypeNode(argument);
    return type ? [[`${file}:${placeOf(node, source)}`, columnsOf(type, checker)]] : [];
  });
}

interface TypedRead {
  readonly node: Node;
  readonly argument: TypeNode;
}

/** Returns the calls of `rows` and `firstRow` that have a type argument. */
function readsOf(source: SourceFile): TypedRead[] {
  const found: TypedRead[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node) && isIdentifier(node.expression)) {
      const [argument] = node.typeArguments ?? [];
      const isRead = ["rows", "firstRow"].includes(node.expression.text);
      if (isRead && argument) found.push({ node: node.expression, argument });
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return found;
}

/** Returns the line and column of a node, as they appear in stack traces. */
function placeOf(node: Node, source: SourceFile): string {
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${line + 1}:${character + 1}`;
}

function columnsOf(row: Type, checker: Checker): RowType {
  if (row.isUnionType()) return joinTypes(row.getTypes().map((one) => columnsOf(one, checker)));
  const properties = checker.getPropertiesOfType(row);
  const types = checker.getTypeOfSymbol(properties);
  return Object.fromEntries(
    properties.map(({ name }, at) => [name, sortsOf(types[at], checker)] as const),
  );
}

/**
 * Joins row types into one that has the columns of all. A column that is missing in one of them may
 * be undefined.
 */
function joinTypes(types: readonly RowType[]): RowType {
  const columns = new Set(types.flatMap((type) => Object.keys(type)));
  return Object.fromEntries(
    [...columns].map((column) => [
      column,
      types.flatMap((type) => type[column] ?? ["undefined" as const]),
    ]),
  );
}

/** The types of values, by the flags of TypeScript. */
const sortByFlag: readonly (readonly [TypeFlags, ValueSort | "any" | "undefined"])[] = [
  [TypeFlags.AnyOrUnknown, "any"],
  [TypeFlags.Undefined, "undefined"],
  [TypeFlags.Null, "null"],
  [TypeFlags.StringLike, "string"],
  [TypeFlags.NumberLike, "number"],
  [TypeFlags.BigIntLike, "bigint"],
  [TypeFlags.BooleanLike | TypeFlags.Boolean, "boolean"],
];

function sortsOf(type: Type | undefined, checker: Checker): (ValueSort | "any" | "undefined")[] {
  if (!type) return ["any"];
  if (type.isUnionType()) return type.getTypes().flatMap((one) => sortsOf(one, checker));
  // Sequelize declares some types as intersections, for example `number & { … }`. Use the first
  // part.
  if (type.isIntersectionType()) return sortsOf(type.getTypes()[0], checker);
  const [, sort] = sortByFlag.find(([flag]) => (type.flags & flag) !== 0) ?? [];
  if (sort !== undefined) return [sort];
  if (checker.isArrayLikeType(type)) return ["array"];
  const name = type.getSymbol()?.name;
  if (name === "Date") return ["date"];
  if (name === "Buffer" || name === "Uint8Array") return ["buffer"];
  return type.flags & TypeFlags.Object ? ["object"] : ["any"];
}

/** Compares the rows of calls with their declared types. @returns the faults */
export function findRowFaults(shapes: RowShapes, types: RowTypes): string[] {
  return Object.entries(shapes).flatMap(([place, shape]) => {
    const type = types[place];
    return type ? faultsOf(shape, type).map((fault) => `${place}: ${fault}`) : [];
  });
}

function faultsOf(shape: RowShape, type: RowType): string[] {
  const missing = Object.entries(type)
    .filter(([column, sorts]) => !(column in shape) && !sorts.includes("undefined"))
    .map(([column]) => `rows have no column ${column}`);
  const wrong = Object.entries(shape).flatMap(([column, sorts]) => {
    const declared = type[column];
    if (!declared || declared.includes("any")) return [];
    return sorts
      .filter((sort) => !declared.includes(sort))
      .map((sort) => `${column} is ${sort}, declared as ${declared.join(" | ")}`);
  });
  return [...missing, ...wrong];
}
