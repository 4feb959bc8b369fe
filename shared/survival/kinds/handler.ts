import type { Context } from "../../platform/context.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { StorageRoom } from "../storage/room.ts";
import type { SurvivalKindName, SurvivalPayload } from "./kinds.ts";
import type { Notice } from "./notice.ts";

interface LiveTaker {
  take(taken: TakenIn<SurvivalPayload<"map.live">>, fence: number): void;
}

/** A frame of the game as a handler is given it. */
export interface TakenIn<Payload> {
  readonly payload: Payload;
  /** Rows that the payload lacks because a value of theirs was odd: its lists are not whole then. */
  readonly rowsLeftOut: number;
  /** Epoch milliseconds. */
  readonly t: number;
  /** Of the stored event; null for a state, which has none. */
  readonly id: number | null;
  readonly bootId: string | null;
  readonly saveId: number | null;
  readonly eventKey: string | null;
  /** Whether it happened while nobody listened. */
  readonly replay: boolean;
}

/** Where a handler writes: the transaction that stores the frame. */
export interface Ground {
  readonly serverId: number;
  readonly connection: Sql;
  readonly context: Pick<Context, "queue" | "log" | "config">;
  /** Of the owner of the source: with each new one what was seen before is forgotten. */
  readonly fence: number;
  /** Where positions go. */
  readonly live: LiveTaker;
  /** What fits of the rows that a handler adds. */
  readonly room: StorageRoom;
  /** Has others told of something with the commit of the transaction. */
  readonly tell: (notice: Notice) => void;
}

/**
 * What a frame makes of our own tables. An event comes once, whatever is repeated; a state may come
 * again and again.
 */
export type Handler<Payload> = (taken: TakenIn<Payload>, ground: Ground) => Promise<void>;

/** The handlers of some kinds, each given the payload that its kind declares. */
export type Handlers = { readonly [Name in SurvivalKindName]?: Handler<SurvivalPayload<Name>> };
