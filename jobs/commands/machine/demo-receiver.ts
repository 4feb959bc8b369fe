import path from "node:path";

import type { Config } from "../../../shared/platform/config/config.ts";
import type { Plan } from "./plan.ts";

interface ReceiverPorts {
  readonly relay: number;
}

/**
 * Lets the demo's processes send push messages to its own relay, which has a name at its own name
 * server, beside the relays of the large makers.
 */
export const demoReceiverEnvironment = (
  { PUSH_ALLOWED_ORIGINS }: Config,
  { relay }: ReceiverPorts,
): NodeJS.ProcessEnv => ({
  PUSH_ALLOWED_ORIGINS: [...PUSH_ALLOWED_ORIGINS, `https://receiver.test:${relay}`].join(","),
  PUSH_DNS: `127.0.0.1:${relay}`,
  PUSH_ALLOW_PRIVATE_FOR_TESTS: "true",
});

/** Has a process trust that relay's certificate, whose file must stand before the process starts. */
export const trustDemoReceiver = ({ demo, folder }: Plan): NodeJS.ProcessEnv =>
  demo ? { NODE_EXTRA_CA_CERTS: path.join(folder, "demo-receiver.pem") } : {};
