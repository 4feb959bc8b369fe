import type { RejectedFrame } from "../bridge/frames.ts";
import { countChanged } from "../db/rows.ts";
import type { SqlClient } from "../db/sql.ts";
import { maskSecretText } from "../secret-texts/secret-forms.ts";

/** Maximum number of rejected frames that are stored per source. */
const maxStoredFrames = 1_000;

/** Stores the newest rejected frames with their reason and first characters. Secrets are masked. */
export async function storeRejectedFrames(
  source: string,
  frames: readonly RejectedFrame[],
  connection: SqlClient,
): Promise<void> {
  if (frames.length === 0) return;
  const newest = frames.slice(-maxStoredFrames);
  await countChanged(
    connection,
    `insert into rejected_frames (source, reason, kind, excerpt, detail)
     select $1, given.reason, given.kind, given.excerpt, given.detail
     from unnest($2::text[], $3::text[], $4::text[], $5::text[])
       as given (reason, kind, excerpt, detail)`,
    [
      source,
      newest.map(({ reason }) => reason),
      newest.map(({ kind }) => kind),
      newest.map(({ excerpt }) => maskSecretText(excerpt)),
      newest.map(({ detail }) => (detail === undefined ? null : maskSecretText(detail))),
    ],
  );
  await countChanged(
    connection,
    `delete from rejected_frames where source = $1 and id <= (
       select id from rejected_frames where source = $1 order by id desc offset $2 limit 1)`,
    [source, maxStoredFrames],
  );
}
