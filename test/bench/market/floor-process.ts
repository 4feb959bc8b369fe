import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { Pool, types } from "pg";

import { answerCalls } from "../parts/answering.ts";
import { floorApp } from "./floor.ts";

types.setTypeParser(types.builtins.INT8, Number);

const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 10 });
const server = createServer(floorApp(pool));

answerCalls({
  /** Starts to listen. @returns the server's URL */
  listen: async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
});
