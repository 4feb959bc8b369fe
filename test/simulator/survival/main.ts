import { readSurvivalArguments, survivalUsage } from "./arguments.ts";
import { startSurvivalSimulator } from "./simulator.ts";

if (process.argv.includes("--help")) {
  process.stdout.write(survivalUsage);
  process.exit(0);
}

const { baseUrl, wsUrl, simUrl, token, buffer, stop } = await startSurvivalSimulator(
  readSurvivalArguments(process.argv.slice(2)),
);
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
const ready = { ready: true, pid: process.pid, baseUrl, wsUrl, simUrl, token, epoch: buffer.epoch };
process.stdout.write(`${JSON.stringify(ready)}\n`);
