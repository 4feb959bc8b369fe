import { Client } from "pg";
import { WebSocket } from "ws";

import { answerCalls } from "../parts/answering.ts";
import { writeStates } from "./floor-states.ts";

/**
 * The minimal ingest to compare with: reads a socket, parses frames, and stores each batch with one insert and
 * one notification.
 */

export interface Frame {
  readonly type: string;
  readonly epoch: string;
  readonly seq: number;
  readonly eventKey: string | null;
  readonly bootId: string | null;
  readonly kind: string;
  readonly t: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

const batchFrames = 1_000;

const statement = `
  with stored as (
    insert into floor_events (source, epoch, seq, event_key, boot_id, kind, t, payload, reach)
    select 'shard', $1, event.*, 'public'
    from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::jsonb[]) as event
    on conflict do nothing
    returning id
  )
  select pg_notify('floor_events', json_build_object('lastId', max(id))::text) from stored`;

const client = new Client({ connectionString: process.env["DATABASE_URL"] });
await client.connect();
let waiting: Frame[] = [];
let isWriting = false;
let keepsStates = false;

answerCalls({ connect, keepStates });

/** Makes batches also update the states in the same transaction. */
function keepStates({ on }: { on: boolean }): void {
  keepsStates = on;
}

async function connect({ url }: { url: string }): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Frame;
    if (frame.type !== "event") return;
    waiting.push(frame);
    if (!isWriting) void write();
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
}

/** Writes everything that arrived during the previous write as one batch. */
async function write(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const frames = waiting.slice(0, batchFrames);
    waiting = waiting.slice(batchFrames);
    await (keepsStates ? writeWithStates(frames) : insert(frames));
  }
  isWriting = false;
}

async function writeWithStates(frames: readonly Frame[]): Promise<void> {
  await client.query("begin");
  await insert(frames);
  await writeStates(frames, client);
  await client.query("commit");
}

async function insert(frames: readonly Frame[]): Promise<void> {
  await client.query({
    name: "insert",
    text: statement,
    values: [
      frames[0]?.epoch,
      frames.map(({ seq }) => seq),
      frames.map(({ eventKey }) => eventKey),
      frames.map(({ bootId }) => bootId),
      frames.map(({ kind }) => kind),
      frames.map(({ t }) => t),
      frames.map(({ payload }) => JSON.stringify(payload)),
    ],
  });
}
