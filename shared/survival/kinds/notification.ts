import type { SurvivalTriggerId } from "../../facts/survival-triggers.ts";
import { sourceNameOf } from "../server-locks.ts";

export interface NotificationScope {
  readonly scopeAll: boolean;
  readonly serverIds: readonly number[];
}

/** A notice of an event on a survival server or of one of its players. */
export interface SurvivalNotification {
  readonly id: SurvivalTriggerId;
  /** Null if the notice concerns several servers. */
  readonly serverId: number | null;
  /** Derived from the event. Notices with the same key are duplicates. */
  readonly key: string;
  /** Time of the event, in epoch milliseconds. */
  readonly t: number;
  /** True if the event is stored only once, so the notice cannot be a duplicate. */
  readonly isStoredOnce?: boolean;
  /** The servers that the notice applies to, if there are several. */
  readonly scope?: NotificationScope;
  /** The recipient, if the notice concerns one user. */
  readonly userId?: number;
  /**
   * The player whom the notice concerns. Staff to whom this Steam account is or was linked do not get the
   * notice, except administrators.
   */
  readonly aboutSteamId?: string;
  /** The object that the notice refers to, if it is not the server. */
  readonly ref?: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface SourcedNotification extends SurvivalNotification {
  readonly source: string;
}

export const addNotificationSource = (notice: SurvivalNotification): SourcedNotification => ({
  ...notice,
  source: notice.serverId === null ? "survival" : sourceNameOf(notice.serverId),
});
