import type { StreamFrame } from "../../bridge/frames.ts";
import type { Sql } from "../../db/sql.ts";
import { accountKey } from "../links.ts";
import type { Fields } from "../view.ts";
import type { FedEvent } from "./fed-event.ts";
import { writeFact } from "./single-state.ts";

interface Before {
  readonly source: string;
  /** The game process that was known. */
  readonly bootId: string | null;
  readonly sql: Sql;
}

interface Character {
  readonly serial: string;
  readonly name: string;
  readonly acct?: string | null;
  readonly map?: string | null;
  readonly x?: number | null;
  readonly y?: number | null;
  readonly z?: number | null;
  readonly region?: string | null;
}

/**
 * Follows who is in the world: a full list replaces ours, a login adds, a logout removes, a new
 * boot or a lost plugin clears.
 * @returns full lists that changed nothing
 */
export async function followPresence(
  frames: readonly StreamFrame[],
  events: readonly FedEvent[],
  { source, bootId, sql }: Before,
): Promise<FedEvent[]> {
  const stored = new Map(events.map((event) => [event.frame.seq, event]));
  const boot = new BootWatch(source, bootId);
  const moves = new Moves();
  const unchanged: FedEvent[] = [];
  for (const frame of frames) {
    if (boot.note(frame)) {
      moves.forget();
      await boot.write(sql);
    }
    const event = frame.type === "event" ? stored.get(frame.seq) : undefined;
    if (event?.frame.kind === "presence.online") {
      await moves.write(sql);
      if (!(await replace(event.payload, event.frame.t, sql))) unchanged.push(event);
    } else if (event) moves.note(event);
  }
  await moves.write(sql);
  return unchanged;
}

/** Who came and went since the last list: of each character the last word counts. */
class Moves {
  readonly #here = new Map<string, Character>();
  readonly #gone = new Set<string>();

  note({ frame, payload }: FedEvent): void {
    const character = characterOf(payload);
    const { serial } = character;
    if (frame.kind === "presence.login") {
      this.#here.set(serial, character);
      this.#gone.delete(serial);
    }
    if (frame.kind === "presence.logout") {
      this.#here.delete(serial);
      this.#gone.add(serial);
    }
  }

  forget(): void {
    this.#here.clear();
    this.#gone.clear();
  }

  async write(sql: Sql): Promise<void> {
    if (this.#gone.size > 0) await remove([...this.#gone], sql);
    if (this.#here.size > 0) await add([...this.#here.values()], sql);
    this.forget();
  }
}

/** Notices that the game process is another than before, or gone. */
class BootWatch {
  readonly #source: string;
  #known: string | null;
  #before: string | null;

  constructor(source: string, known: string | null) {
    this.#source = source;
    this.#known = known;
    this.#before = known;
  }

  /** @returns whether whoever was in the world is there no more */
  note(frame: StreamFrame): boolean {
    this.#before = this.#known;
    if (isGone(frame)) return true;
    this.#known = ("bootId" in frame ? frame.bootId : null) ?? this.#known;
    return this.#known !== this.#before;
  }

  /** In one statement, which a batch of plain events runs by itself: nobody stays in a dead world. */
  async write(sql: Sql): Promise<void> {
    const isFirst = this.#before === null && this.#known !== null;
    await sql.query(isFirst ? noteBoot : noteBootAndClear, [this.#source, this.#known]);
  }
}

const isGone = (frame: StreamFrame): boolean =>
  (frame.type === "plugin" && !frame.connected) ||
  (frame.type === "hello" && !frame.pluginConnected);

const noteBoot = "update ingest_sources set boot_id = $2 where source = $1";

const noteBootAndClear = `
  with noted as (${noteBoot}), gone as (delete from online_characters)
  delete from shard_facts where name = 'presence'`;

function characterOf(payload: Fields): Character {
  const place = (payload["location"] ?? {}) as Fields;
  return { ...place, ...payload } as unknown as Character;
}

/** @returns whether counts or list are others than before */
async function replace(payload: Fields, t: number, sql: Sql): Promise<boolean> {
  const { players, ...counts } = payload as { players?: readonly Character[] | null };
  const counted = await writeFact("presence", counts, t, sql);
  if (!players) return counted;
  const { rowCount } = await sql.query("delete from online_characters where serial <> all($1)", [
    players.map(({ serial }) => serial),
  ]);
  const moved = await add(players, sql);
  return counted || moved > 0 || (rowCount ?? 0) > 0;
}

const remove = (serials: readonly string[], sql: Sql): Promise<unknown> =>
  sql.query("delete from online_characters where serial = any($1)", [serials]);

/** @returns how many are new or stand elsewhere */
async function add(characters: readonly Character[], sql: Sql): Promise<number> {
  const bySerial = [
    ...new Map(characters.map((character) => [character.serial, character])).values(),
  ];
  const { rowCount } = await sql.query(
    `insert into online_characters as held (serial, name, account_key, map, x, y, z, region)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[],
       $5::integer[], $6::integer[], $7::integer[], $8::text[])
     on conflict (serial) do update set
       name = excluded.name, account_key = coalesce(excluded.account_key, held.account_key),
       map = excluded.map, x = excluded.x, y = excluded.y, z = excluded.z, region = excluded.region
     where (held.name, held.map, held.x, held.y, held.z, held.region) is distinct from
       (excluded.name, excluded.map, excluded.x, excluded.y, excluded.z, excluded.region)
       or held.account_key is distinct from coalesce(excluded.account_key, held.account_key)`,
    [
      bySerial.map(({ serial }) => serial),
      bySerial.map(({ name }) => name),
      bySerial.map(({ acct }) => (acct ? accountKey(acct) : null)),
      bySerial.map(({ map }) => map ?? null),
      bySerial.map(({ x }) => x ?? null),
      bySerial.map(({ y }) => y ?? null),
      bySerial.map(({ z }) => z ?? null),
      bySerial.map(({ region }) => region ?? null),
    ],
  );
  return rowCount ?? 0;
}
