import { readFileSync } from "node:fs";

import { PluginAdapter } from "../plugin/plugin-adapter.ts";
import { readSurvivalArguments, survivalUsage } from "./arguments.ts";
import { startSurvivalSimulator } from "./simulator.ts";

if (process.argv.includes("--help")) {
  process.stdout.write(survivalUsage);
  process.exit(0);
}

const { pluginSite, ...options } = readSurvivalArguments(process.argv.slice(2));
const simulator = await startSurvivalSimulator(options);
const { baseUrl, wsUrl, simUrl, token, buffer } = simulator;
const adapter =
  pluginSite &&
  new PluginAdapter({
    sidecar: { baseUrl, wsUrl, token },
    game: "rust",
    protocol: 13,
    url: pluginSite.url,
    key: readFileSync(pluginSite.keyFile, "utf8"),
  });
const stop = async (): Promise<void> => {
  await adapter?.stop();
  await simulator.stop();
};
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
const ready = { ready: true, pid: process.pid, baseUrl, wsUrl, simUrl, token, epoch: buffer.epoch };
process.stdout.write(`${JSON.stringify(ready)}\n`);
