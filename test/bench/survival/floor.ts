import { Client } from "pg";
import { WebSocket } from "ws";

import { answerCalls } from "../parts/answering.ts";

/**
 * The baseline of the ingest of survival servers: bare sockets, and hand-written code that parses and stores
 * the same frames.
 */

interface Frame {
  readonly type: string;
  readonly seq: number;
  readonly epoch: string;
  readonly bootId: string;
  readonly eventKey: string | null;
  readonly saveId: number | null;
  readonly kind: string;
  readonly t: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Tally {
  readonly steamId: string;
  readonly stats: Readonly<Record<string, number>>;
  readonly playtimeSec: number;
}

interface Session {
  readonly steamId: string;
  readonly name: string;
  readonly connectedAt: number;
}

/** Kinds of states, which are not stored as events. */
const states = new Set(["player.tally", "player.online", "clan.board", "clan.roster"]);
const stateFamilies = /^(?:server|map|perm|world\.ready|npc)\b/;
const pieceLength = 7_000;

const written = new Map<number, number>();

answerCalls({ connect, written: () => Math.min(...written.values()) });

async function connect({ url, servers }: { url: string; servers: number }): Promise<void> {
  for (let serverId = 1; serverId <= servers; serverId++) {
    await follow(`${url}/${serverId}`, serverId);
  }
}

async function follow(url: string, serverId: number): Promise<void> {
  const client = new Client(process.env["DATABASE_URL"]);
  await client.connect();
  await client.query("insert into floor_servers (server_id, seq) values ($1, 0)", [serverId]);
  written.set(serverId, 0);
  let waiting: Frame[] = [];
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await writeBatch(batch, serverId, client);
      written.set(serverId, batch.at(-1)?.seq ?? 0);
    }
    isWriting = false;
  };
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Frame;
    if (frame.type !== "event") return;
    waiting.push(frame);
    if (!isWriting) void write();
  });
  await new Promise((resolve) => socket.once("open", resolve));
}

async function writeBatch(frames: readonly Frame[], serverId: number, client: Client) {
  await client.query("begin");
  const isState = ({ kind }: Frame) => states.has(kind) || stateFamilies.test(kind);
  await writeEvents(
    frames.filter((frame) => !isState(frame)),
    serverId,
    client,
  );
  for (const { kind, payload } of frames) await writers[kind]?.(payload, serverId, client);
  await client.query({
    name: "seq",
    text: "update floor_servers set seq = $2 where server_id = $1",
    values: [serverId, frames.at(-1)?.seq],
  });
  await client.query("commit");
}

async function writeEvents(frames: readonly Frame[], serverId: number, client: Client) {
  if (frames.length === 0) return;
  await client.query({
    name: "events",
    text: `insert into floor_survival_events
        (server_id, epoch, seq, event_key, boot_id, save_id, kind, t, payload)
      select $1, $2, * from unnest($3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::text[],
        $8::bigint[], $9::jsonb[])
      on conflict do nothing`,
    values: [
      serverId,
      frames[0]?.epoch,
      frames.map(({ seq }) => seq),
      frames.map(({ eventKey }) => eventKey),
      frames.map(({ bootId }) => bootId),
      frames.map(({ saveId }) => saveId),
      frames.map(({ kind }) => kind),
      frames.map(({ t }) => t),
      frames.map(({ payload }) => JSON.stringify(payload)),
    ],
  });
}

type Writer = (payload: Frame["payload"], serverId: number, client: Client) => Promise<unknown>;

const keep =
  (column: "status" | "map"): Writer =>
  (payload, serverId, client) =>
    client.query({
      name: column,
      text: `update floor_servers set ${column} = $2 where server_id = $1`,
      values: [serverId, JSON.stringify(payload)],
    });

const writers: Readonly<Record<string, Writer>> = {
  "server.status": keep("status"),
  "map.info": keep("map"),
  "map.live": (payload, serverId, client) => {
    const text = JSON.stringify(payload);
    const pages = Math.ceil(text.length / pieceLength);
    const pieces = Array.from(
      { length: pages },
      (_, page) =>
        `${serverId} ${page + 1} ${pages} ${text.slice(page * pieceLength, (page + 1) * pieceLength)}`,
    );
    return client.query({
      name: "live",
      text: "select pg_notify('floor_live', piece) from unnest($1::text[]) as piece",
      values: [pieces],
    });
  },
  "player.tally": (payload, serverId, client) => {
    const rows = (payload["tallies"] as readonly Tally[]).flatMap(({ steamId, stats, ...tally }) =>
      Object.entries({ ...stats, playtime: tally.playtimeSec })
        .filter(([, value]) => value > 0)
        .map(([stat, value]) => ({ steamId, stat, value })),
    );
    return client.query({
      name: "scores",
      text: `insert into floor_survival_scores as held (wipe_id, stat, steam_id, value)
        select $1, * from unnest($2::text[], $3::text[], $4::bigint[])
        on conflict (wipe_id, stat, steam_id) do update
        set value = excluded.value, reached_at = clock_timestamp()
        where held.value < excluded.value`,
      values: [
        serverId,
        rows.map(({ stat }) => stat),
        rows.map(({ steamId }) => steamId),
        rows.map(({ value }) => value),
      ],
    });
  },
  "player.online": async (payload, serverId, client) => {
    const players = payload["players"] as readonly Session[];
    const ids = players.map(({ steamId }) => steamId);
    await client.query({
      name: "gone",
      text: "delete from floor_survival_presence where server_id = $1 and steam_id <> all($2)",
      values: [serverId, ids],
    });
    await client.query({
      name: "online",
      text: `insert into floor_survival_presence (server_id, steam_id, name, connected_at)
        select $1, steam_id, name, to_timestamp(at / 1000.0)
        from unnest($2::text[], $3::text[], $4::bigint[]) as player (steam_id, name, at)
        on conflict (server_id, steam_id) do update
        set name = excluded.name, connected_at = excluded.connected_at`,
      values: [
        serverId,
        ids,
        players.map(({ name }) => name),
        players.map(({ connectedAt }) => connectedAt),
      ],
    });
  },
};
