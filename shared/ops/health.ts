import { monitorEventLoopDelay } from "node:perf_hooks";

import { messageOf } from "../platform/errors/errors.ts";
import { version } from "../platform/process/version.ts";
import { requireSchema } from "./schema.ts";
import type { SiteContext } from "./site-context.ts";

export interface HealthCheckResult {
  readonly ok: boolean;
  readonly ms: number;
  readonly detail?: string;
}

export interface Health {
  readonly status: "ok" | "failing";
  readonly checks: Readonly<Record<string, HealthCheckResult>>;
  readonly version: string;
  readonly process: string;
  readonly uptimeSec: number;
}

export type Probe = "live" | "ready";

/** A health check that returns a detail or throws. */
export type HealthCheck = () => Promise<string | undefined> | string | undefined;

/** Longest pause of the event loop before a process counts as stuck. */
const stuckMs = 5_000;

const loopDelay = monitorEventLoopDelay({ resolution: 100 });
loopDelay.enable();

export type ProcessPhase = "starting" | "working" | "stopping";

export function createReadinessChecks(
  context: SiteContext,
  phase: () => ProcessPhase,
): Record<string, HealthCheck> {
  return {
    database: async () => {
      await context.database.check(context.sequelize);
      return undefined;
    },
    schema: async () => {
      const { applied } = await requireSchema(context.sequelize);
      return `${applied.length} migrations`;
    },
    listen: () => {
      const { isDeaf, echoAgeMs } = context.listener;
      if (isDeaf) throw new Error("the LISTEN connection does not receive its own notifications");
      return `${Math.round(echoAgeMs)} ms old`;
    },
    phase: () => {
      if (phase() !== "working") throw new Error(`the process is ${phase()}`);
      return undefined;
    },
  };
}

const liveness: Record<string, HealthCheck> = {
  eventLoop: () => {
    const ms = Math.round(loopDelay.max / 1e6);
    loopDelay.reset();
    if (ms > stuckMs) throw new Error(`the event loop was blocked for ${ms} ms`);
    return `${ms} ms`;
  },
};

/** Runs every check of a probe. It never throws: failures are part of the result. */
export async function readHealth(
  kind: string,
  probe: Probe,
  readiness: Record<string, HealthCheck>,
): Promise<Health> {
  const questions = probe === "live" ? liveness : { ...liveness, ...readiness };
  const answers = await Promise.all(
    Object.entries(questions).map(async ([name, ask]) => [name, await check(ask)] as const),
  );
  const checks = Object.fromEntries(answers);
  return {
    status: answers.every(([, answer]) => answer.ok) ? "ok" : "failing",
    checks,
    version,
    process: kind,
    uptimeSec: Math.round(process.uptime()),
  };
}

async function check(ask: HealthCheck): Promise<HealthCheckResult> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const detail = await withinASecond(ask());
    return { ok: true, ms: elapsed(), ...(detail !== undefined && { detail }) };
  } catch (error) {
    return {
      ok: false,
      ms: elapsed(),
      detail: messageOf(error),
    };
  }
}

async function withinASecond<T>(answer: Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no answer within a second")), 1000);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
