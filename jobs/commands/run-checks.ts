import { defineModels } from "../../models/index.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { bridgeCheck } from "./checks/bridge.ts";
import {
  type DoctorCheck,
  faultResult,
  type DoctorResult,
  isMissingRelation,
  errorReasonOf,
  skippedResult,
} from "./checks/check.ts";
import { clockCheck } from "./checks/clock.ts";
import { connectionsCheck } from "./checks/connections.ts";
import { checkDatabase } from "./checks/database.ts";
import { checkEnvironment } from "./checks/environment.ts";
import { eventLogCheck } from "./checks/event-log.ts";
import { firstAdminCheck } from "./checks/first-admin.ts";
import { forwardedAddressCheck } from "./checks/forwarded.ts";
import { listenCheck } from "./checks/listen.ts";
import { mailCheck } from "./checks/mail.ts";
import { migrationsCheck } from "./checks/migrations.ts";
import { poolerCheck } from "./checks/pooler.ts";
import { processChecks } from "./checks/processes.ts";
import { queuesCheck } from "./checks/queues.ts";
import { snapshotsCheck } from "./checks/snapshots.ts";
import { streamCheck } from "./checks/stream.ts";
import { survivalCheck } from "./checks/survival.ts";
import type { ShellContext } from "./launch/shell-context.ts";

export type NamedDoctorResult = DoctorResult & { readonly name: string };

/** Checks that need a database. Some also need the schema and fail without it. */
const checks: readonly DoctorCheck[] = [
  connectionsCheck,
  poolerCheck,
  listenCheck,
  clockCheck,
  snapshotsCheck,
  migrationsCheck,
  queuesCheck,
  eventLogCheck,
  ...processChecks,
  forwardedAddressCheck,
  bridgeCheck,
  streamCheck,
  survivalCheck,
  mailCheck,
  firstAdminCheck,
];

/**
 * Runs all checks. A check that cannot run yet names the fault that must be corrected first.
 * @param environment without DATABASE_URL if the database of this machine is not running
 */
export async function runChecks(environment: NodeJS.ProcessEnv): Promise<NamedDoctorResult[]> {
  const { config, finding } = checkEnvironment({ DATABASE_URL: "postgres://none", ...environment });
  const first = { name: "environment", ...finding };
  if (!config) return [first, ...waitingFindings("database", ...namesOf(checks))];
  if (!environment["DATABASE_URL"]) {
    const none = faultResult(
      "DATABASE_URL is not set, and no database of npm start runs here",
      "run npm start, or set DATABASE_URL",
    );
    return [first, { name: "database", ...none }, ...waitingFindings(...namesOf(checks))];
  }
  const sequelize = createConnectionPool(config, "doctor");
  try {
    return [
      first,
      ...(await examineDatabase({ config, sequelize, models: defineModels(sequelize) })),
    ];
  } finally {
    await sequelize.close();
  }
}

async function examineDatabase(context: ShellContext): Promise<NamedDoctorResult[]> {
  const database = { name: "database", ...(await checkDatabase(context.sequelize)) };
  if (database.status !== "ok") return [database, ...waitingFindings(...namesOf(checks))];
  const findings = await Promise.all(checks.map((check) => runCheck(check, context)));
  return [database, ...omitRepeatedFault(findings)];
}

/** Marks a fault of the check `stream` as skipped if the check `bridge` found the same fault. */
function omitRepeatedFault(findings: readonly NamedDoctorResult[]): NamedDoctorResult[] {
  const bridge = findings.find(({ name }) => name === bridgeCheck.name);
  if (bridge?.status !== "fault") return [...findings];
  const reason = bridge.detail.replace(/^kind \w+: /, "");
  const isRepeated = ({ name, status, detail }: NamedDoctorResult): boolean =>
    name === streamCheck.name && status === "fault" && detail.endsWith(`: ${reason}`);
  return findings.map((finding) =>
    isRepeated(finding)
      ? { name: finding.name, ...skippedResult("has the same fault as the check bridge") }
      : finding,
  );
}

async function runCheck(check: DoctorCheck, context: ShellContext): Promise<NamedDoctorResult> {
  try {
    return { name: check.name, ...(await check.run(context)) };
  } catch (error) {
    const isBehind = isMissingRelation(error);
    const fix = isBehind ? "npm run migrate" : "the check has no advice for this message";
    return { name: check.name, ...faultResult(errorReasonOf(error), fix) };
  }
}

const namesOf = (some: readonly DoctorCheck[]): string[] => some.map(({ name }) => name);

const waitingFindings = (...names: string[]): NamedDoctorResult[] =>
  names.map((name) => ({
    name,
    ...skippedResult("cannot run before the fault above is corrected"),
  }));
