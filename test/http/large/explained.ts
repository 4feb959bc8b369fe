import type { Client } from "pg";
import type { Sequelize } from "sequelize";

/** A statement of the API with its executed plan. */
export interface Explained {
  readonly text: string;
  readonly ms: number;
  /**
   * Rows that its scans read, including those that a filter or recheck rejected. A bitmap index scan counts
   * only pages; the scan of its table counts the rows.
   */
  readonly rows: number;
  /** Pages of tables and indexes that it read. */
  readonly pages: number;
  /** The plan's nodes as words. */
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

/** Settings of a database whose connections report each statement's plan as a warning. */
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

/** Collects the plans that a pool's connections report. */
export function collectExplained(sequelize: Sequelize): Explained[] {
  const told: Explained[] = [];
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
