import { describe, expect, it } from "vitest";

import { de } from "../../console/words/de.ts";
import { en } from "../../console/words/en.ts";
import { actions } from "../../shared/events/actions/catalogue.ts";

describe("the labels of parameters of actions", () => {
  it.each([
    ["en", en],
    ["de", de],
  ] as const)("name the parameters of the catalog in the language %s", (_language, { events }) => {
    const names = actions.flatMap(({ params }) => params.map(({ name }) => name));
    expect(Object.keys(events.paramLabels).toSorted()).toEqual([...new Set(names)].toSorted());
  });
});
