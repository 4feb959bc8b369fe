import type { Client } from "pg";
import type { Sequelize } from "sequelize";

/** A statement that the API executed, with the figures of its plan. */
export interface ExplainedStatement {
  readonly text: string;
  readonly ms: number;
  /**
   * The rows that the statement's scans read, including rows that a filter or recheck rejected. For a bitmap
   * index scan only the pages count; the scan of its table counts the rows.
   */
  readonly rows: number;
  /** The pages of tables and indexes that the statement read. */
  readonly pages: number;
  /** The nodes of the plan, in words. */
  readonly plan: string;
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Database settings with which each new connection reports the plan of each statement as a warning.
 */
export const explainingSettings = [
  "session_preload_libraries = 'auto_explain'",
  "auto_explain.log_min_duration = 0",
  "auto_explain.log_analyze = on",
  "auto_explain.log_timing = off",
  "auto_explain.log_buffers = on",
  "auto_explain.log_format = json",
  "auto_explain.log_level = warning",
  "auto_explain.log_nested_statements = off",
];

/** Collects the plans that the connections of a pool report. */
export function collectExplainedStatements(sequelize: Sequelize): ExplainedStatement[] {
  const told: ExplainedStatement[] = [];
  sequelize.addHook("afterConnect", "explained", (connection) => {
    (connection as Client).on("notice", ({ message = "" }) => {
      const [, ms, json] = /^duration: ([\d.]+) ms\s+plan:\s+(\{[\s\S]*\})$/.exec(message) ?? [];
      if (json === undefined) return;
      const { "Query Text": text, Plan } = JSON.parse(json) as {
        readonly "Query Text": string;
        readonly Plan: PlanNode;
      };
      const nodes = nodesOf(Plan);
      const pages = (Plan["Shared Hit Blocks"] ?? 0) + (Plan["Shared Read Blocks"] ?? 0);
      const plan = nodes.map(nameOf).join(", ");
      told.push({ text, ms: Number(ms), rows: Math.round(sumOf(nodes)), pages, plan });
    });
  });
  return told;
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const nameOf = (node: PlanNode): string =>
  [node["Node Type"], node["Index Name"] ?? node["Relation Name"]].filter(Boolean).join(" ");

const sumOf = (nodes: readonly PlanNode[]): number =>
  nodes
    .filter(
      (node) => node["Node Type"].endsWith("Scan") && node["Node Type"] !== "Bitmap Index Scan",
    )
    .map(
      (node) =>
        (node["Actual Rows"] +
          (node["Rows Removed by Filter"] ?? 0) +
          (node["Rows Removed by Index Recheck"] ?? 0)) *
        node["Actual Loops"],
    )
    .reduce((sum, rows) => sum + rows, 0);
