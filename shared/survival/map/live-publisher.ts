import type { Context } from "../../platform/context.ts";
import { queryPrepared } from "../../platform/db/connection/prepared.ts";
import { jsonArraySql } from "../../platform/db/sql-text.ts";
import type { Channel } from "../../platform/notify/channels.ts";
import type { FrameHandlerContext, ReceivedFrame } from "../kinds/handler.ts";
import { sourceNameOf } from "../server-locks.ts";
import { type LivePayload, splitLiveFrame } from "./live-frame.ts";

const channel = "survival_live" satisfies Channel;

type PublishedFrame = Pick<ReceivedFrame<LivePayload>, "payload" | "bootId" | "saveId"> &
  Pick<FrameHandlerContext, "fence">;

/**
 * Sends positions of one server to the processes that answer requests. Positions change quickly and help
 * to hunt players, so no table or log stores them. Each process gets only the newest positions, once per
 * interval.
 */
export class LivePositionPublisher {
  readonly #serverId: number;
  readonly #context: Pick<Context, "config" | "log" | "sequelize">;
  #newest: PublishedFrame | null = null;
  #isDue = false;
  #restsUntil = 0;

  constructor(serverId: number, context: Pick<Context, "config" | "log" | "sequelize">) {
    this.#serverId = serverId;
    this.#context = context;
  }

  take({ payload, bootId, saveId, replay }: ReceivedFrame<LivePayload>, fence: number): void {
    // Replayed positions are outdated.
    if (replay) return;
    this.#newest = { payload, bootId, saveId, fence };
    this.#handOverSoon();
  }

  #handOverSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const restMs = Math.max(0, this.#restsUntil - performance.now());
    setTimeout(() => void this.#handOver(), restMs).unref();
  }

  async #handOver(): Promise<void> {
    const { log, config } = this.#context;
    const told = this.#newest;
    this.#newest = null;
    try {
      if (told) await this.#tell(told);
    } catch (error) {
      log.warn(
        { err: error, serverId: this.#serverId },
        "the positions of the live map could not be published",
      );
    }
    this.#restsUntil = performance.now() + config.SURVIVAL_LIVE_INTERVAL;
    this.#isDue = false;
    if (this.#newest) this.#handOverSoon();
  }

  async #tell({ payload, bootId, saveId, fence }: PublishedFrame): Promise<void> {
    const serverId = this.#serverId;
    const events = [
      ...payload.events,
      ...(await readLiveMapEvents(serverId, bootId, this.#context)),
    ];
    const pieces = splitLiveFrame({ ...payload, events }, { serverId, bootId, saveId });
    const texts = jsonArraySql(pieces.map((piece) => JSON.stringify(piece)));
    await queryPrepared(tell, [channel, texts, sourceNameOf(serverId), fence], this.#context);
  }
}

/** Sends nothing if another process has become the owner of the source. */
const tell = {
  name: "tell-live-positions",
  text: `select pg_notify($1, piece) from unnest($2::text[]) as piece
    where exists (select from ingest_sources where source = $3 and fence = $4)`,
};

type LiveEvent = LivePayload["events"][number];

/**
 * Reads objects of the site for the live map: open zones, and placements of bosses that the game reports
 * as alive.
 * @param bootId the current game process; placement states of former processes are ignored
 */
const readLiveMapEvents = (
  serverId: number,
  bootId: string | null,
  context: Pick<Context, "config" | "sequelize">,
): Promise<LiveEvent[]> => queryPrepared<LiveEvent>(readEvents, [serverId, bootId], context);

/** An object at a monument is shown at the monument's middle, because the monument's rotation is unknown. */
const readEvents = {
  name: "read-site-events",
  text: `
    with monuments as (
      select monument ->> 'label' as label, monument -> 'x' as x, monument -> 'z' as z
      from survival_server_states state,
        jsonb_array_elements(state.map -> 'monuments') monument
      where state.server_id = $1
    ),
    zones as (
      select 'zone-' || lease_id as id, 'zone' as type, preset_key as label, opened_at as since,
        at ->> 'monument' as monument, (at ->> 'x')::float8 as x, (at ->> 'z')::float8 as z
      from survival_zone_leases where server_id = $1 and state in ('open', 'closing')
    ),
    bosses as (
      select 'boss-' || placement.id as id, 'boss' as type,
        profile.document ->> 'displayName' as label, null::timestamptz as since,
        placement.monument, placement.x, placement.z
      from survival_npc_servers server,
        jsonb_to_recordset(server.placements) life (name text, alive integer)
      join survival_npc_placements placement
        on placement.server_id = $1 and placement.name = life.name
      join survival_npc_profiles profile
        on profile.key = placement.profile_key and not profile.is_deleted
      where server.server_id = $1 and server.boot_id is not distinct from $2 and life.alive > 0
        and (profile.document ->> 'boss')::boolean
    )
    select found.id, found.type, found.label,
      coalesce(monuments.x::float8, found.x) as x, coalesce(monuments.z::float8, found.z) as z,
      (extract(epoch from found.since) * 1000)::float8 as since
    from (select * from zones union all select * from bosses) found
    left join lateral (
      select x, z from monuments where monuments.label = found.monument limit 1
    ) monuments on true
    where found.monument is null or monuments.x is not null
    order by found.type, found.id`,
};
