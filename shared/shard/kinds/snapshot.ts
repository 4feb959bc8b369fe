import type Joi from "joi";

import { count, integer, key, listOf, shape } from "../../bridge/payload-fields.ts";
import { type Kind, staffKind } from "./kind.ts";
import type { SnapshotFamily } from "./live-states.ts";

type SnapshotKinds<Family extends SnapshotFamily, Row> = {
  readonly [Name in `${Family}.snapshot.begin`]: Kind<{
    readonly snapshotId: string;
    readonly pages: number;
    readonly count: number;
  }>;
} & {
  readonly [Name in `${Family}.snapshot.page`]: Kind<{
    readonly snapshotId: string;
    readonly page: number;
    readonly rows: Row[];
  }>;
} & { readonly [Name in `${Family}.snapshot.end`]: Kind<{ readonly snapshotId: string }> };

/** The three kinds of a family's snapshot, whose rows are payloads of the family's upsert. */
export function snapshotOf<Family extends SnapshotFamily, Row extends object>(
  family: Family,
  row: Joi.ObjectSchema<Row>,
): SnapshotKinds<Family, Row> {
  const snapshotId = key();
  const kinds = {
    [`${family}.snapshot.begin`]: staffKind(shape({ snapshotId, pages: count(), count: count() }), {
      feeds: { state: family, as: "begin" },
    }),
    [`${family}.snapshot.page`]: staffKind(
      shape({ snapshotId, page: integer().min(1), rows: listOf(row) }),
      { feeds: { state: family, as: "page" } },
    ),
    [`${family}.snapshot.end`]: staffKind(shape({ snapshotId }), {
      feeds: { state: family, as: "end" },
    }),
  };
  return kinds as SnapshotKinds<Family, Row>;
}
