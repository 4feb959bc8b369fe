import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { Client, types } from "pg";

import { answerCalls } from "../parts/answering.ts";

/** The baseline of the event stream: builds one Buffer per event and writes it to each open response. */

interface Event {
  readonly id: number;
  readonly kind: string;
  readonly t: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

types.setTypeParser(types.builtins.INT8, Number);

const open = new Set<ServerResponse>();
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": welcome\n\n");
  open.add(response);
  response.once("close", () => open.delete(response));
});
server.listen(0, "127.0.0.1");

answerCalls({ port: () => (server.address() as AddressInfo).port, broadcast, follow });

/** Writes these events to all clients, with one write per connection. */
function broadcast({ events }: { events: readonly Event[] }): void {
  write(Buffer.from(events.map((event) => blockOf(event, event.payload)).join("")));
}

const blockOf = ({ id, kind, t }: Event, payload: object): string =>
  `id: ${id}\ndata: ${JSON.stringify({ id, kind, t, bootId: null, payload, createdAt: new Date() })}\n\n`;

function write(block: Buffer): void {
  for (const response of open) response.write(block);
}

/**
 * The fields that each of five access levels adds. This program builds the event for all levels, as the service
 * does, although the clients have the lowest level.
 */
const rungs = [["id", "name"], ["level"], ["map"], ["x"], ["y"]];

/**
 * Broadcasts the new events of the table `floor_events` after each notification. It is the last program of the
 * baseline. Another program receives and stores the events.
 */
async function follow({ databaseUrl }: { databaseUrl: string }): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ id: number }>(
    "select coalesce(max(id), 0) as id from floor_events",
  );
  let cursor = rows[0]?.id ?? 0;
  let isReading = false;
  let isDue = false;
  const read = async (): Promise<void> => {
    isReading = true;
    while (isDue) {
      isDue = false;
      const found = await client.query<Event>({
        name: "read",
        text: "select id, kind, t, payload from floor_events where id > $1 order by id limit 500",
        values: [cursor],
      });
      for (const event of found.rows) tell(event);
      cursor = found.rows.at(-1)?.id ?? cursor;
    }
    isReading = false;
  };
  client.on("notification", () => {
    isDue = true;
    if (!isReading) void read();
  });
  await client.query("listen floor_events");
}

function tell(event: Event): void {
  let seen: string[] = [];
  const [lowest] = rungs.map((fields) => {
    seen = [...seen, ...fields];
    const shown = Object.fromEntries(seen.map((field) => [field, event.payload[field]]));
    return Buffer.from(blockOf(event, shown));
  });
  if (lowest) write(lowest);
}
