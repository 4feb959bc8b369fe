import { describe, expect, it } from "vitest";

import { createNamedStatement } from "../../shared/platform/db/named-statements.ts";

interface Values {
  readonly source: string;
  readonly seqs: readonly number[];
  readonly other?: string;
}

const statement = createNamedStatement<Values>(
  "name of it",
  `select :source, to_char(at, 'HH24:MI:SS') from unnest(:seqs::bigint[]) where source = :source`,
);

describe("createNamedStatement", () => {
  it("numbers each name once, and does not change casts and format strings of times", () => {
    expect(statement.name).toBe("name of it");
    expect(statement.text).toBe(
      `select $1, to_char(at, 'HH24:MI:SS') from unnest($2::bigint[]) where source = $1`,
    );
  });

  it("orders the values like the placeholders, and drops values without a placeholder", () => {
    expect(statement.valuesOf({ seqs: [1, 2], other: "x", source: "shard" })).toEqual([
      "shard",
      [1, 2],
    ]);
  });

  it("throws when a parameter has no value", () => {
    const values = { source: "shard" } as unknown as Values;
    expect(() => statement.valuesOf(values)).toThrow(
      "the statement name of it has no value for the parameter :seqs",
    );
  });
});
