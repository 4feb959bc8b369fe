import type { SurvivalTriggerId } from "../../facts/survival-triggers.ts";
import { sourceNameOf } from "../server-locks.ts";

export interface NotificationScope {
  readonly scopeAll: boolean;
  readonly serverIds: readonly number[];
}

/** An event of a survival server or of one of its players that others are notified of. */
export interface SurvivalNotification {
  readonly id: SurvivalTriggerId;
  /** Null if it concerns several servers. */
  readonly serverId: number | null;
  /** Derived from the event: notices with an equal key are duplicates. */
  readonly key: string;
  /** Time of the event, in epoch milliseconds. */
  readonly t: number;
  /** True if the event is stored once and thus cannot be reported again. */
  readonly isStoredOnce?: boolean;
  /** The servers that it applies to, if there are several. */
  readonly scope?: NotificationScope;
  /** The recipient, if it concerns one user. */
  readonly userId?: number;
  /** The object that a message refers to, if it is not the server. */
  readonly ref?: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface SourcedNotification extends SurvivalNotification {
  readonly source: string;
}

export const addSource = (notice: SurvivalNotification): SourcedNotification => ({
  ...notice,
  source: notice.serverId === null ? "survival" : sourceNameOf(notice.serverId),
});
