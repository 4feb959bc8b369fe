import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";

import { Turns } from "../../shared/turns.ts";

const hops = fc.record({ hops: fc.integer({ min: 1, max: 5 }), fails: fc.boolean() });

describe("turns", () => {
  it("run no more at once than they may, in order, whoever fails", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(hops), async (atOnce, works) => {
        const turns = new Turns(atOnce);
        const begun: number[] = [];
        let running = 0;
        let most = 0;
        const settled = await Promise.allSettled(
          works.map((work, index) =>
            turns.take(async () => {
              begun.push(index);
              most = Math.max(most, ++running);
              for (let hop = 0; hop < work.hops; hop++) await Promise.resolve();
              running -= 1;
              if (work.fails) throw new Error(`${index}`);
              return index;
            }),
          ),
        );
        expect(begun).toEqual(works.map((_, index) => index));
        expect(most).toBe(Math.min(atOnce, works.length));
        expect(settled.map(({ status }) => status)).toEqual(
          works.map(({ fails }) => (fails ? "rejected" : "fulfilled")),
        );
        expect(turns.waiting).toBe(0);
      }),
    );
  });
});
