import type { Notice } from "../frames/notice.ts";
import { sourceNameOf } from "../server-rows.ts";

/** A notice with the source that tells of it. */
export interface SourcedNotice extends Notice {
  readonly source: string;
}

export const withSource = (notice: Notice): SourcedNotice => ({
  ...notice,
  source: notice.serverId === null ? "survival" : sourceNameOf(notice.serverId),
});
