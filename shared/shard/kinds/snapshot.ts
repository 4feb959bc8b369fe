import Joi from "joi";

import { count, field, integer, key, listOf, shape } from "../../bridge/payload-fields.ts";
import { type Kind, staffKind } from "./kind.ts";
import type { SnapshotFamily } from "./live-states.ts";

type SnapshotBegin = Readonly<{ snapshotId: string; pages: number; count: number }>;

type SnapshotPage<Row> = Readonly<{ snapshotId: string; page: number; rows: Row[] }>;

type SnapshotEnd = Pick<SnapshotBegin, "snapshotId">;

type SnapshotKinds<Family extends SnapshotFamily, Row> = {
  readonly [Name in `${Family}.snapshot.begin`]: Kind<SnapshotBegin>;
} & { readonly [Name in `${Family}.snapshot.page`]: Kind<SnapshotPage<Row>> } & {
  readonly [Name in `${Family}.snapshot.end`]: Kind<SnapshotEnd>;
};

interface SnapshotDocs<Row> {
  /** What a snapshot holds, as the end of a sentence. */
  readonly of: string;
  /** An example of a row. */
  readonly row: Row;
}

/** The three kinds of a family's snapshot, whose rows are payloads of the family's upsert. */
export function snapshotOf<Family extends SnapshotFamily, Row extends object>(
  family: Family,
  row: Joi.ObjectSchema<Row>,
  { of, row: example }: SnapshotDocs<NoInfer<Row>>,
): SnapshotKinds<Family, Row> {
  const snapshotId = field(key(), "Id of the snapshot, the same in all of its events.");
  const named: SnapshotEnd = { snapshotId: "5d1c" };
  const begin = shape({
    snapshotId,
    pages: field(count(), "Number of pages that follow."),
    count: field(count(), "Number of rows on all pages."),
  });
  const page = Joi.object<SnapshotPage<Row>>({
    snapshotId,
    page: field(integer().min(1), "Number of the page, from 1."),
    rows: field(listOf(row), "Rows, each as the payload of the upsert of the same family."),
  });
  const kinds = {
    [`${family}.snapshot.begin`]: staffKind(begin, {
      about: `A snapshot of ${of} begins. It replaces what the site has stored.`,
      example: { ...named, pages: 1, count: 1 },
      feeds: { state: family, as: "begin" },
    }),
    [`${family}.snapshot.page`]: staffKind(page, {
      about: `One page of a snapshot of ${of}. An event has at most 256 KiB.`,
      example: { ...named, page: 1, rows: [example] },
      feeds: { state: family, as: "page" },
    }),
    [`${family}.snapshot.end`]: staffKind(shape({ snapshotId }), {
      about: `A snapshot of ${of} ends. The site deletes what the snapshot does not contain.`,
      example: named,
      feeds: { state: family, as: "end" },
    }),
  };
  return kinds as SnapshotKinds<Family, Row>;
}
