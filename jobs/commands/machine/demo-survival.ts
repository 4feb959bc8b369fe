import { randomBytes } from "node:crypto";
import path from "node:path";

import type { ServerLinkKind } from "../../../models/survival/survival-server.ts";
import { findFreePort } from "../launch/ports.ts";
import type { ServerScript } from "../launch/server-process.ts";
import { buildFlags, prepareSimulatorJournal } from "./demo-flags.ts";
import type { LaunchPlan } from "./plan.ts";

export interface DemoSurvivalServer {
  readonly slug: string;
  readonly name: string;
  readonly kind: ServerLinkKind;
  readonly framework: "oxide" | "carbon" | "none";
  readonly seed: number;
  readonly port: number;
  /** A free port for the control routes of a simulated console. */
  readonly simPort: number;
  /** The token of the sidecar, or the password of the console. */
  readonly token: string;
}

/** The demo has one server for each kind of link and for each plugin framework. */
const servers = [
  { slug: "emberfall", name: "Emberfall", kind: "sidecar", framework: "oxide", seed: 11 },
  { slug: "saltmarsh", name: "Saltmarsh", kind: "plugin", framework: "carbon", seed: 12 },
  { slug: "windmere", name: "Windmere", kind: "webrcon", framework: "none", seed: 13 },
] as const;

const eventsPerSecond = 1;

export const chooseDemoSurvivalServers = (): Promise<DemoSurvivalServer[]> =>
  Promise.all(
    servers.map(async (server) => ({
      ...server,
      port: await findFreePort(),
      simPort: await findFreePort(),
      token: randomBytes(24).toString("base64url"),
    })),
  );

/**
 * The file with a server's plugin key: the program that creates the demo's content writes it for the simulated
 * game.
 */
const keyFileOf = ({ folder }: Pick<LaunchPlan, "folder">, slug: string): string =>
  path.join(folder, `${slug}.key`);

export const describeDemoSurvival = (
  plan: LaunchPlan,
  chosen: readonly DemoSurvivalServer[],
): string =>
  JSON.stringify(
    chosen.map((server) => {
      const { slug, name, kind } = server;
      return {
        slug,
        name,
        link: linkOf(server),
        ...(kind === "plugin" && { keyFile: keyFileOf(plan, slug) }),
      };
    }),
  );

function linkOf({ kind, port, token }: DemoSurvivalServer): object {
  if (kind === "plugin") return { kind };
  if (kind === "webrcon") {
    return { kind, rconHost: "127.0.0.1", rconPort: port, rconPassword: token };
  }
  return {
    kind,
    token,
    baseUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}/v1/stream`,
  };
}

export const demoSurvivalScript = (plan: LaunchPlan, server: DemoSurvivalServer): ServerScript =>
  server.kind === "webrcon" ? consoleScript(plan, server) : gameScript(plan, server);

function gameScript(plan: LaunchPlan, server: DemoSurvivalServer): ServerScript {
  const { slug, name, kind, framework, seed, port, token } = server;
  const settings = { port, seed, name, framework, rate: eventsPerSecond, token };
  const journal = prepareSimulatorJournal(plan, slug);
  const site = `http://127.0.0.1:${plan.ports.web}/api/v1/plugin`;
  return {
    name: slug,
    file: "test/simulator/survival/main.ts",
    arguments: buildFlags({
      ...settings,
      "buffer-file": journal,
      ...(kind === "plugin" && { site, "key-file": keyFileOf(plan, slug) }),
    }),
    environment: plan.environment,
    readyAt: `http://127.0.0.1:${port}/sim/status`,
  };
}

function consoleScript(plan: LaunchPlan, server: DemoSurvivalServer): ServerScript {
  const { slug, name, framework, port, simPort, token } = server;
  return {
    name: slug,
    file: "test/simulator/console/main.ts",
    arguments: buildFlags({
      port,
      "sim-port": simPort,
      password: token,
      hostname: name,
      loader: framework,
    }),
    environment: plan.environment,
    readyAt: `http://127.0.0.1:${simPort}/sim/status`,
  };
}
