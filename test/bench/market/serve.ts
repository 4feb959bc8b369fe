import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { Pool, types } from "pg";
import { Registry } from "prom-client";

import { createApp } from "../../../api/app.ts";
import { EventStreams } from "../../../api/stream/hub.ts";
import { loadConfig } from "../../../shared/config/config.ts";
import { startContext } from "../../../shared/start-context.ts";
import { floorApp } from "./floor.ts";

// A process of its own, as in life: `ours` or `floor` on DATABASE_URL. It tells its port.
const app = process.argv[2] === "ours" ? await startOurs() : startFloor();
const server = createServer(app);
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("SIGTERM", () => process.exit(0));

async function startOurs(): Promise<RequestListener> {
  const { context } = await startContext(loadConfig(), "web");
  const registry = new Registry();
  const streams = new EventStreams(context, registry);
  await streams.start();
  return createApp({ ...context, streams }, registry);
}

function startFloor(): RequestListener {
  types.setTypeParser(types.builtins.INT8, Number);
  return floorApp(new Pool({ connectionString: process.env["DATABASE_URL"], max: 10 }));
}
