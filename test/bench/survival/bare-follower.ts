import { Client } from "pg";
import { WebSocket } from "ws";

import { answerCalls } from "../parts/answering.ts";

/** The baseline: reads the changed row after each notification and dials the row's address. */

const database = new Client(process.env["DATABASE_URL"]);
await database.connect();
let socket: WebSocket | undefined;
database.on("notification", () => void follow());
await database.query("listen bare_servers");

async function follow(): Promise<void> {
  const { rows } = await database.query<{ ws_url: string }>("select ws_url from bare_servers");
  socket?.terminate();
  socket = new WebSocket(rows[0]?.ws_url ?? "");
  socket.on("error", () => undefined);
}

answerCalls({});
