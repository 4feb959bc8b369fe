import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import type { LinkedServer } from "./strikes.ts";

interface World {
  readonly id: number;
  readonly saveId: number;
  readonly isOpen: boolean;
}

interface Place {
  readonly read: DatabaseReader;
  readonly history: History;
  readonly settle: () => Promise<void>;
}

/**
 * Wipes the world, then restores a backup of the former world. The service must continue the former world with
 * its stored data.
 */
export async function restoreOlderWorld(
  servers: readonly LinkedServer[],
  { read, history, settle }: Place,
): Promise<void> {
  const before = await Promise.all(servers.map((server) => readWorlds(server, read)));
  for (const { simulator } of servers) await simulator.strike({ fault: "wipe" });
  await settle();
  const amid = await Promise.all(servers.map((server) => readWorlds(server, read)));
  for (const [at, { simulator }] of servers.entries()) {
    const saveId = openOf(before[at])?.saveId ?? 0;
    await simulator.strike({ fault: "olderSave", saveId });
  }
  await settle();
  for (const [at, server] of servers.entries()) {
    const after = await readWorlds(server, read);
    const [old, made] = [openOf(before[at]), openOf(amid[at])];
    const told = await read(toldStatement, [`survival:${server.id}`, `wipe:${made?.saveId}`]);
    checkWorlds({ name: server.name, old, made, after, told }, history);
  }
}

const toldStatement = `select from event_news
  where source = $1 and trigger = 'survival.server.wiped' and event_key = $2`;

interface Seen {
  readonly name: string;
  readonly old: World | undefined;
  readonly made: World | undefined;
  readonly after: readonly World[];
  readonly told: readonly object[];
}

function checkWorlds(seen: Seen, history: History): void {
  const { old, made, after, told } = seen;
  const isMade = made !== undefined && made.saveId > (old?.saveId ?? Infinity);
  history.claim("a world that is made anew is another one", isMade, seen);
  const open = after.filter(isOpen);
  const isBack = open.length === 1 && open[0]?.id === old?.id;
  history.claim("an older save goes on as the world that it was", isBack, seen);
  const saves = new Set(after.map(({ saveId }) => saveId));
  history.claim("a save is one world", saves.size === after.length, seen);
  history.claim("the new world is told of once", told.length === 1, seen);
}

const isOpen = (world: World): boolean => world.isOpen;
const openOf = (worlds: readonly World[] | undefined): World | undefined => worlds?.find(isOpen);

const readWorlds = ({ id }: LinkedServer, read: DatabaseReader): Promise<World[]> =>
  read<World & Record<string, unknown>>(
    `select id, save_id::float8 as "saveId", ended_at is null as "isOpen"
     from survival_wipes where server_id = $1 order by id`,
    [id],
  );
