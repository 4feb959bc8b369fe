import path from "node:path";

import type { Config } from "../../../shared/platform/config/config.ts";
import type { LaunchPlan } from "./plan.ts";

interface ReceiverPorts {
  readonly relay: number;
}

/**
 * Allows the demo's push relay in addition to the relays of browsers, and sets the name server that resolves the
 * relay's name.
 */
export const demoReceiverEnvironment = (
  { PUSH_ALLOWED_ORIGINS }: Config,
  { relay }: ReceiverPorts,
): NodeJS.ProcessEnv => ({
  PUSH_ALLOWED_ORIGINS: [...PUSH_ALLOWED_ORIGINS, `https://receiver.test:${relay}`].join(","),
  PUSH_DNS: `127.0.0.1:${relay}`,
  PUSH_ALLOW_PRIVATE_FOR_TESTS: "true",
});

/** Makes a process trust the certificate of the demo's relay. The file must exist before the process starts. */
export const buildReceiverEnvironment = ({ demo, folder }: LaunchPlan): NodeJS.ProcessEnv =>
  demo ? { NODE_EXTRA_CA_CERTS: path.join(folder, "demo-receiver.pem") } : {};
