import { parseArgs } from "node:util";

import { startConsole } from "./console-simulator.ts";
import { portOf, serveControl } from "./control.ts";
import { PlayerActivitySimulator } from "./life.ts";

const usage = `node test/simulator/console/main.ts [options]

Starts a simulated console of a Rust server.
  --port <port>          port of the console (a free one)
  --sim-port <port>      port of the HTTP routes that control the game (a free one)
  --password <password>  RCON password (emberfall-console)
  --hostname <name>      name of the server
  --loader <name>        oxide, carbon or none (oxide)
  --players <count>      number of players (12)
`;
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "sim-port": { type: "string", default: "0" },
    password: { type: "string", default: "emberfall-console" },
    hostname: { type: "string", default: "Emberfall EU | Weekly" },
    loader: { type: "string", default: "oxide" },
    players: { type: "string", default: "12" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const { password, hostname, loader } = values;
const simulator = await startConsole({
  password,
  hostname,
  port: Number(values.port),
  loader: loader === "carbon" || loader === "none" ? loader : "oxide",
});
const life = new PlayerActivitySimulator(simulator, Number(values.players));
const control = await serveControl(simulator, Number(values["sim-port"]));
const stop = async (): Promise<void> => {
  life.stop();
  control.close();
  control.closeAllConnections();
  await simulator.close();
};
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
const { port } = simulator;
const simUrl = `http://127.0.0.1:${portOf(control)}/sim`;
const ready = { ready: true, pid: process.pid, host: "127.0.0.1", port, password, simUrl };
process.stdout.write(`${JSON.stringify(ready)}\n`);
