import type { Context } from "../../platform/context.ts";
import { queryPrepared } from "../../platform/db/connection/prepared.ts";
import { jsonArraySql } from "../../platform/db/sql-text.ts";
import type { Channel } from "../../platform/notify/channels.ts";
import type { HandlerContext, ReceivedFrame } from "../kinds/handler.ts";
import { sourceNameOf } from "../server-locks.ts";
import { type LivePayload, splitLiveFrame } from "./live-frame.ts";
import { readLiveMapEvents } from "./site-events.ts";

const channel = "survival_live" satisfies Channel;

type PublishedFrame = Pick<ReceivedFrame<LivePayload>, "payload" | "bootId" | "saveId"> &
  Pick<HandlerContext, "fence">;

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
