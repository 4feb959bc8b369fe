import { randomBytes } from "node:crypto";

import { freePort } from "../launch/ports.ts";
import type { ServerScript } from "../launch/server-process.ts";
import { buildFlags, prepareJournal } from "./demo-flags.ts";
import type { LaunchPlan } from "./plan.ts";

export interface DemoSurvivalServer {
  readonly slug: string;
  readonly name: string;
  readonly framework: "oxide" | "carbon";
  readonly seed: number;
  readonly port: number;
  readonly token: string;
}

/** The demo has one server per plugin framework, because the frameworks use different names. */
const servers = [
  { slug: "emberfall", name: "Emberfall", framework: "oxide", seed: 11 },
  { slug: "saltmarsh", name: "Saltmarsh", framework: "carbon", seed: 12 },
] as const;

const eventsPerSecond = 1;

export const chooseDemoSurvival = (): Promise<DemoSurvivalServer[]> =>
  Promise.all(
    servers.map(async (server) => ({
      ...server,
      port: await freePort(),
      token: randomBytes(24).toString("base64url"),
    })),
  );

export const describeDemoSurvival = (chosen: readonly DemoSurvivalServer[]): string =>
  JSON.stringify(
    chosen.map(({ slug, name, port, token }) => ({
      slug,
      name,
      token,
      baseUrl: `http://127.0.0.1:${port}`,
      wsUrl: `ws://127.0.0.1:${port}/v1/stream`,
    })),
  );

export const demoSurvivalScript = (plan: LaunchPlan, server: DemoSurvivalServer): ServerScript => {
  const { slug, name, framework, seed, port, token } = server;
  const settings = { port, seed, name, framework, rate: eventsPerSecond, token };
  const journal = prepareJournal(plan, slug);
  return {
    name: slug,
    file: "test/simulator/survival/main.ts",
    arguments: buildFlags({ ...settings, "buffer-file": journal }),
    environment: plan.environment,
    readyAt: `http://127.0.0.1:${port}/sim/status`,
  };
};
