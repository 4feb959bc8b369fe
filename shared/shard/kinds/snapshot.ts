import Joi from "joi";

import {
  count,
  field,
  integer,
  rowKey,
  listOf,
  objectSchema,
} from "../../platform/bridge/payload-fields.ts";
import { type ShardKind, defineStaffKind } from "./kind.ts";
import type { SnapshotFamily } from "./live-states.ts";

type SnapshotBegin = Readonly<{ snapshotId: string; pages: number; count: number }>;

type SnapshotPage<Row> = Readonly<{ snapshotId: string; page: number; rows: Row[] }>;

type SnapshotEnd = Pick<SnapshotBegin, "snapshotId">;

type SnapshotKinds<Family extends SnapshotFamily, Row> = {
  readonly [Name in `${Family}.snapshot.begin`]: ShardKind<SnapshotBegin>;
} & { readonly [Name in `${Family}.snapshot.page`]: ShardKind<SnapshotPage<Row>> } & {
  readonly [Name in `${Family}.snapshot.end`]: ShardKind<SnapshotEnd>;
};

interface SnapshotDocs<Row> {
  /** The objects in the snapshot, such as "all houses". Descriptions end with this text. */
  readonly of: string;
  readonly row: Row;
}

const afterEnd =
  "If all pages and rows have arrived, the rows replace the stored objects of the family, and " +
  "the site deletes each stored object that the snapshot does not contain.";

/**
 * Declares the begin, page and end events of a family's snapshot. Each row of the snapshot is a payload of the
 * family's upsert event.
 */
export function defineSnapshotKinds<Family extends SnapshotFamily, Row extends object>(
  family: Family,
  row: Joi.ObjectSchema<Row>,
  { of, row: example }: SnapshotDocs<NoInfer<Row>>,
): SnapshotKinds<Family, Row> {
  const snapshotId = field(
    rowKey(),
    "Id of the snapshot, made up by the plugin: the same in all events of the snapshot.",
  );
  const named: SnapshotEnd = { snapshotId: "5d1c" };
  const begin = objectSchema({
    snapshotId,
    pages: field(count(), "Number of pages of the snapshot."),
    count: field(count(), "Number of rows on all pages together."),
  });
  const page = Joi.object<SnapshotPage<Row>>({
    snapshotId,
    page: field(integer().min(1), "Number of the page. The first page has the number 1."),
    rows: field(
      listOf(row),
      "Rows of the page. Each row is a payload of the kind that replaces a single object of the " +
        "family.",
    ),
  });
  const kinds = {
    [`${family}.snapshot.begin`]: defineStaffKind(begin, {
      about: `Begins a snapshot of ${of}.`,
      example: { ...named, pages: 1, count: 1 },
      feeds: { state: family, as: "begin" },
    }),
    [`${family}.snapshot.page`]: defineStaffKind(page, {
      about: `Contains one page of a snapshot of ${of}. An event has at most 256 KiB.`,
      example: { ...named, page: 1, rows: [example] },
      feeds: { state: family, as: "page" },
    }),
    [`${family}.snapshot.end`]: defineStaffKind(objectSchema({ snapshotId }), {
      about: `Ends a snapshot of ${of}. ${afterEnd}`,
      example: named,
      feeds: { state: family, as: "end" },
    }),
  };
  return kinds as SnapshotKinds<Family, Row>;
}
