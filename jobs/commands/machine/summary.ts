import type { DemoAccount } from "./demo.ts";
import type { StartResult } from "./machine.ts";
import type { LaunchPlan } from "./plan.ts";
import { healthUrl } from "./processes.ts";

export function formatSummary(plan: LaunchPlan, started: StartResult, seconds: number): string {
  const parts = [
    `Guildhall is ready (${seconds.toFixed(1)} s). Ctrl-C stops it.`,
    table(addresses(plan)),
    table(accounts(plan, started)),
  ];
  return `\n${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

type Row = readonly [string, ...string[]];

function addresses(plan: LaunchPlan): Row[] {
  const { ports, config } = plan;
  const site = `http://localhost:${ports.web}`;
  return [
    ...(plan.demo ? demoAddresses(plan) : []),
    ...(config.CONSOLE === "on" ? [["Console for staff", `${site}/console`] as const] : []),
    ["Live events", `curl -N ${site}/api/v1/public/shard/stream`],
    ["API description", `${site}/api/docs`],
    ["Status", `${site}/api/v1/public/status`],
    ["Health, this machine only", healthUrl(plan, "web")],
    ["", `${healthUrl(plan, "ingest")} (ingest)`],
    ["", `${healthUrl(plan, "worker")} (worker)`],
  ];
}

const demoAddresses = ({ ports }: LaunchPlan): Row[] => [
  ["Live events, as a page", `http://localhost:${ports.page}/`],
  ["Sign in at a provider", `http://localhost:${ports.page}/account`],
  ["Push messages received", `http://localhost:${ports.pushes}/`],
  ["Survival servers", `http://localhost:${ports.web}/api/v1/public/survival/servers`],
];

function accounts(plan: LaunchPlan, { firstAdmin, demoAccounts }: StartResult): Row[] {
  if (plan.demo) return demoAccounts.map((account) => demoSignIn(plan, account));
  if (!firstAdmin) return [];
  const password = firstAdmin.madePassword;
  const shown = password ? `${password}  (printed only once)` : "the password in ADMIN_PASSWORD";
  return [["Sign in as admin", firstAdmin.username, shown]];
}

function demoSignIn({ config, environment }: LaunchPlan, account: DemoAccount): Row {
  const { username, role, hasDemoPassword } = account;
  const given = role === "admin" && config.ADMIN_PASSWORD ? "ADMIN_PASSWORD" : "DEMO_PASSWORD";
  const known = config[given] ? `the password in ${given}` : (environment[given] as string);
  const changed = `changed since: npm run user -- password ${username}`;
  return [`Sign in as ${role}`, username, hasDemoPassword ? known : changed];
}

function table(rows: readonly Row[]): string {
  const widths = [0, 1, 2].map((column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`)
    .map((line) => line.trimEnd())
    .join("\n");
}
