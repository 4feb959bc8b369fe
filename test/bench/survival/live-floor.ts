import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import express from "express";
import { Client } from "pg";

import { answerCalls } from "../parts/answering.ts";

/** An Express without middleware. It keeps each server's newest positions from notifications. */

interface Live {
  readonly at: number;
  readonly gameTime: number;
  readonly events: readonly object[];
}

const texts = new Map<string, string>();
const newest = new Map<string, Live>();

const client = new Client(process.env["DATABASE_URL"]);
await client.connect();
client.on("notification", ({ payload = "" }) => {
  const [serverId = "", page, pages] = payload.split(" ", 3);
  const text = payload.slice(`${serverId} ${page} ${pages} `.length);
  texts.set(serverId, (page === "1" ? "" : (texts.get(serverId) ?? "")) + text);
  if (page === pages) newest.set(serverId, JSON.parse(texts.get(serverId) ?? "{}") as Live);
});
await client.query("listen floor_live");

const app = express();
app.disable("etag");
app.disable("x-powered-by");
app.get("/:id/map/live", ({ params }, response) => {
  const live = newest.get(params.id);
  response.set("Cache-Control", "private, no-store").json({
    at: live ? new Date(live.at) : null,
    stale: !live,
    gameTime: live?.gameTime ?? null,
    hidden: false,
    audience: "anonymous",
    layers: { events: live?.events ?? [] },
  });
});
const server = createServer(app);
// As in the service. Clients pause longer than Node keeps an idle connection by default.
server.keepAliveTimeout = 95_000;

answerCalls({
  /** Starts to listen. @returns the server's URL */
  listen: async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
});
