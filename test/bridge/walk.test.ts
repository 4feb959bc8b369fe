import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type BridgeCode, BridgeError } from "../../shared/platform/bridge/bridge-error.ts";
import {
  type SourcePage,
  readSourcePages,
  type PagedReadPlan,
} from "../../shared/platform/bridge/calls/walk.ts";

interface Manifest {
  readonly hash: string | null;
  readonly hashing: boolean;
  readonly complete: boolean;
  readonly counts: Record<string, number>;
}

type Rows = readonly string[];

const good = (entries: number, fields: Partial<Manifest> = {}): Manifest => ({
  hash: "h1",
  hashing: false,
  complete: true,
  counts: { entries },
  ...fields,
});

const pageOf = (
  rows: Rows,
  next: string | null,
  fields: Partial<SourcePage<Rows>> = {},
): SourcePage<Rows> => ({
  hash: "h1",
  rows,
  counts: { entries: rows.length },
  last: rows.at(-1) ?? null,
  next,
  ...fields,
});

/** Returns a function that gives the answers in order, and then repeats the last one. */
function answering<T>(list: readonly (T | Error)[]): () => Promise<T> {
  let at = -1;
  return () => {
    at = Math.min(at + 1, list.length - 1);
    const answer = list[at] as T | Error;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
}

function source(
  manifests: readonly (Manifest | Error)[],
  pages: readonly (SourcePage<Rows> | Error)[],
  more: Partial<PagedReadPlan<Manifest, Rows>> = {},
) {
  const taken: string[] = [];
  const cursors: (string | null)[] = [];
  const nextPage = answering(pages);
  const plan: PagedReadPlan<Manifest, Rows> = {
    manifest: answering(manifests),
    stateOf: (manifest) => manifest,
    page: (cursor) => {
      cursors.push(cursor);
      return nextPage();
    },
    take: (rows) => void taken.push(...rows),
    ...more,
  };
  return { plan, taken, cursors };
}

const failToStore = () => Promise.reject(new Error("the database is down"));

describe("walk, which reads all pages of a source", () => {
  it("passes on every page in order and counts records and pages", async () => {
    const { plan, taken, cursors } = source(
      [good(5)],
      [pageOf(["a", "b"], "p2"), pageOf(["c", "d"], "p3"), pageOf(["e"], null)],
    );
    expect(await readSourcePages(plan)).toEqual({
      ok: true,
      manifest: good(5),
      records: 5,
      pages: 3,
    });
    expect(taken).toEqual(["a", "b", "c", "d", "e"]);
    expect(cursors).toEqual([null, "p2", "p3"]);
  });

  it("accepts an empty source, and two pages without rows in a row", async () => {
    expect(await readSourcePages(source([good(0)], [pageOf([], null)]).plan)).toMatchObject({
      ok: true,
    });
    const sparse = [pageOf([], "p2"), pageOf([], "p3"), pageOf(["a"], "p4"), pageOf([], null)];
    expect(await readSourcePages(source([good(1)], sparse).plan)).toMatchObject({
      ok: true,
      pages: 4,
    });
  });

  it("waits until a page is stored before it requests the next", async () => {
    const order: string[] = [];
    const { plan } = source([good(2)], [pageOf(["a"], "p2"), pageOf(["b"], null)]);
    await readSourcePages({
      ...plan,
      page: (cursor) => {
        order.push(`ask ${cursor}`);
        return plan.page(cursor);
      },
      take: async ([row]) => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`took ${row}`);
      },
    });
    expect(order).toEqual(["ask null", "took a", "ask p2", "took b"]);
  });

  const one = [pageOf(["a"], null)];

  it.each([
    [
      "a source that is being hashed before the walk",
      "BUSY",
      [good(1, { hashing: true, hash: null })],
      one,
    ],
    [
      "a source that is being hashed after the walk",
      "BUSY",
      [good(1), good(1, { hashing: true, hash: null })],
      one,
    ],
    [
      "a source that is incomplete before the walk",
      "INCOMPLETE",
      [good(1, { complete: false })],
      one,
    ],
    [
      "a source that is incomplete after the walk",
      "INCOMPLETE",
      [good(1), good(1, { complete: false })],
      one,
    ],
    ["a source without a hash", "INCOMPLETE", [good(1, { hash: null })], one],
    [
      "a source with another hash after the walk",
      "SOURCE_CHANGED",
      [good(1), good(1, { hash: "h2" })],
      one,
    ],
    [
      "a page with another hash",
      "SOURCE_CHANGED",
      [good(1)],
      [pageOf(["a"], null, { hash: "h2" })],
    ],
    ["a source with fewer records than it promised", "INCOMPLETE", [good(2)], one],
    [
      "a source with more records than it promised",
      "INCOMPLETE",
      [good(1)],
      [pageOf(["a", "b"], null)],
    ],
    [
      "a source with records of another family",
      "INCOMPLETE",
      [good(0, { counts: { regions: 1, spawners: 0 } })],
      [pageOf(["a"], null, { counts: { regions: 0, spawners: 1 } })],
    ],
    ["a cursor that repeats", "STUCK", [good(9)], [pageOf(["a"], "p2"), pageOf(["b"], "p2")]],
    [
      "cursors that form a circle",
      "STUCK",
      [good(9)],
      [pageOf(["a"], "p2"), pageOf(["b"], "p3"), pageOf(["c"], "p2")],
    ],
    [
      "three pages without rows",
      "STUCK",
      [good(9)],
      [pageOf([], "p2"), pageOf([], "p3"), pageOf([], "p4")],
    ],
    [
      "three pages with nothing new",
      "STUCK",
      [good(9)],
      ["p2", "p3", "p4", "p5"].map((next) => pageOf(["a"], next)),
    ],
    ["a source that promises too many records", "TOO_LARGE", [good(2_000_001)], one],
  ] as const)("reports %s as %s", async (_, code, manifests, pages) => {
    expect(await readSourcePages(source(manifests, pages).plan)).toMatchObject({ ok: false, code });
  });

  it.each([
    ["without rows", 3, ["p2", "p3", "p4", "p5"].map((next) => pageOf([], next))],
    ["with the rows of the page before", 4, ["p2", "p3", "p4", "p5"].map((n) => pageOf(["a"], n))],
  ])("reports STUCK at the third page in a row %s", async (_, pages, list) => {
    expect(await readSourcePages(source([good(9)], list).plan)).toMatchObject({
      code: "STUCK",
      pages,
    });
  });

  it("stops reading an endless source once it exceeds the number of records in the manifest", async () => {
    let at = 0;
    const { plan } = source([good(5)], one, {
      page: () => Promise.resolve(pageOf([`row ${(at += 1)}`], `cursor ${at}`)),
    });
    expect(await readSourcePages(plan)).toMatchObject({ ok: false, code: "INCOMPLETE", pages: 6 });
  });

  it("reports how many records it read and how many the manifest counts", async () => {
    const failed = await readSourcePages(source([good(3)], [pageOf(["a", "b"], null)]).plan);
    expect(failed).toEqual({
      ok: false,
      code: "INCOMPLETE",
      reason: "received 2 entries of 3 entries",
      manifest: good(3),
      records: 2,
      pages: 1,
    });
  });

  it.each([
    ["MALFORMED", "MALFORMED"],
    ["NOT_FOUND", "MALFORMED"],
    ["INVALID", "MALFORMED"],
    ["TOO_LARGE", "TOO_LARGE"],
    ["SHARD_DOWN", "SHARD_DOWN"],
    ["UNAVAILABLE", "UNAVAILABLE"],
    ["BUSY", "BUSY"],
    ["LIMIT", "BUSY"],
    ["PROTOCOL", "PROTOCOL"],
    ["UNAUTHORIZED", "PROTOCOL"],
    ["DISABLED", "DISABLED"],
    ["NO_SOURCE", "NO_SOURCE"],
    ["NO_IMAGING", "NO_IMAGING"],
    ["UNSUPPORTED", "UNSUPPORTED"],
  ] as const)(
    "reports the refusal %s as %s, whichever request is refused",
    async (refusal, code) => {
      const error = new BridgeError(refusal, { reason: "because" });
      for (const { plan } of [
        source([error], one),
        source([good(2)], [pageOf(["a"], "p2"), error]),
        source([good(1), error], one),
      ]) {
        expect(await readSourcePages(plan)).toMatchObject({ ok: false, code, reason: "because" });
      }
    },
  );

  it("rethrows an error of its consumer", async () => {
    const { plan } = source([good(1)], one, { take: failToStore });
    await expect(readSourcePages(plan)).rejects.toThrow("the database is down");
  });

  it("ends with a result for every possible source", async () => {
    const error = fc.constantFrom<BridgeCode>("SHARD_DOWN", "MALFORMED", "UNAVAILABLE", "BUSY");
    const faulty = <T>(answers: fc.Arbitrary<T[]>) =>
      fc
        .tuple(answers, fc.nat({ max: 12 }), error)
        .map(([list, at, code]) => list.toSpliced(at, 1, new BridgeError(code) as never));
    await fc.assert(
      fc.asyncProperty(faulty(anyManifests), faulty(anyPages), async (manifests, pages) => {
        const { plan, taken, cursors } = source(manifests, pages);
        const result = await readSourcePages(plan);
        expect(["ok", ...walkCodes]).toContain(result.ok ? "ok" : result.code);
        expect(result.records).toBeGreaterThanOrEqual(taken.length);
        // There are only five different cursors besides the start, so a seventh page would use one
        // of them twice.
        expect(cursors.length).toBeLessThanOrEqual(6);
      }),
      { numRuns: 2_000 },
    );
  });

  it("succeeds if and only if it reads as many records as the manifest counts and the source stays the same", async () => {
    await fc.assert(
      fc.asyncProperty(anyManifests, anyPages, async (manifests, pages) => {
        const { plan, taken } = source(manifests, pages);
        const { ok } = await readSourcePages(plan);
        const read = pages.slice(0, pages.findIndex(({ next }) => next === null) + 1);
        expect(ok).toBe(isWhole(manifests.slice(0, 2), read));
        expect(ok && read.flatMap(({ rows }) => rows).length !== taken.length).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });
});

const anyManifests = fc.array(
  fc.record({
    hash: fc.constantFrom("h1", "h1", "h1", "h1", "h2", null),
    hashing: fc.constantFrom(false, false, false, false, true),
    complete: fc.constantFrom(true, true, true, true, false),
    counts: fc.record({ entries: fc.constantFrom(0, 1, 2, 2, 2, 3, 4) }),
  }),
  { minLength: 1, maxLength: 2 },
);

const anyPages = fc.array(
  fc
    .record({
      rows: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
      next: fc.constantFrom("p1", "p2", "p3", "p4", "p5", null, null),
      hash: fc.constantFrom("h1", "h1", "h1", "h1", "h1", "h2"),
    })
    .map(({ rows, next, hash }) => pageOf(rows, next, { hash })),
  { minLength: 1, maxLength: 6 },
);

function isWhole(manifests: readonly Manifest[], read: readonly SourcePage<Rows>[]): boolean {
  const hash = manifests[0]?.hash;
  const records = read.flatMap(({ rows }) => rows).length;
  const nexts = read.flatMap(({ next }) => next ?? []);
  const lasts = read.map((_, at) =>
    read
      .slice(0, at + 1)
      .flatMap(({ rows }) => rows)
      .at(-1),
  );
  const idle = read.map((page, at) => page.rows.length === 0 || lasts[at] === lasts[at - 1]);
  return (
    read.length > 0 &&
    hash !== null &&
    manifests.every((each) => each.hash === hash && !each.hashing && each.complete) &&
    manifests.every(({ counts }) => counts["entries"] === records) &&
    read.every((page) => page.hash === hash) &&
    new Set(nexts).size === nexts.length &&
    !idle.some((isIdle, at) => isIdle && idle[at + 1] && idle[at + 2])
  );
}

const walkCodes = [
  "BUSY",
  "SOURCE_CHANGED",
  "STUCK",
  "INCOMPLETE",
  "MALFORMED",
  "TOO_LARGE",
  "SHARD_DOWN",
  "UNAVAILABLE",
];
