import type { SurvivalTriggerId } from "../../facts/survival-triggers.ts";
import { sourceNameOf } from "../server-rows.ts";

export interface NoticeScope {
  readonly scopeAll: boolean;
  readonly serverIds: readonly number[];
}

/** Something that happened on a survival server, or for one of its players, and that others are told. */
export interface Notice {
  readonly id: SurvivalTriggerId;
  /** Null for what concerns several servers. */
  readonly serverId: number | null;
  /** Made of what happened: whatever is met again under the same key is the same. */
  readonly key: string;
  /** When it happened, in epoch milliseconds. */
  readonly t: number;
  /** Whether it cannot be met again: it is that of an event, of which each is stored once. */
  readonly isStoredOnce?: boolean;
  /** The servers that it counts on, where it concerns several. */
  readonly scope?: NoticeScope;
  /** Whom it is for, where it concerns one user. */
  readonly userId?: number;
  /** What a message names, where that is not the server. */
  readonly ref?: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A notice with the source that tells of it. */
export interface SourcedNotice extends Notice {
  readonly source: string;
}

export const withSource = (notice: Notice): SourcedNotice => ({
  ...notice,
  source: notice.serverId === null ? "survival" : sourceNameOf(notice.serverId),
});
