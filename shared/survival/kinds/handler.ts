import type { Context } from "../../platform/context.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { StorageQuota } from "../storage/quota.ts";
import type { SurvivalKindName, SurvivalPayload } from "./kinds.ts";
import type { SurvivalNotification } from "./notification.ts";

interface LivePositions {
  take(taken: ReceivedFrame<SurvivalPayload<"map.live">>, fence: number): void;
}

/** A frame of the game, as a handler receives it. */
export interface ReceivedFrame<Payload> {
  readonly payload: Payload;
  /** Number of rows dropped as invalid. If it is not 0, the lists are incomplete. */
  readonly rowsLeftOut: number;
  /** Epoch milliseconds. */
  readonly t: number;
  /** Id of the stored event; null for a state. */
  readonly id: number | null;
  readonly bootId: string | null;
  readonly saveId: number | null;
  readonly eventKey: string | null;
  /** True if the event happened while the site was not connected. */
  readonly replay: boolean;
}

/** The context of a handler. Its connection is the transaction that stores the frame. */
export interface FrameHandlerContext {
  readonly serverId: number;
  readonly connection: SqlClient;
  readonly context: Pick<Context, "queue" | "log" | "config">;
  /** Fencing token of the source's owner. Observations of a former owner are ignored. */
  readonly fence: number;
  /** Receives positions for the live map. */
  readonly live: LivePositions;
  /** Limits the number of rows that a handler adds. */
  readonly room: StorageQuota;
  /** Sends a notice when the transaction commits. */
  readonly tell: (notice: SurvivalNotification) => void;
}

/** Writes a frame to the site's tables. Each event is handled once; a state may be handled again. */
export type FrameHandler<Payload> = (
  taken: ReceivedFrame<Payload>,
  ground: FrameHandlerContext,
) => Promise<void>;

/** Handlers by kind, each with the payload type of its kind. */
export type FrameHandlers = {
  readonly [Name in SurvivalKindName]?: FrameHandler<SurvivalPayload<Name>>;
};
