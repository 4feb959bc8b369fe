import type Joi from "joi";
import { describe, expect, it } from "vitest";

import {
  checkPayloadAgainstSchema,
  compileSchema,
} from "../../shared/platform/bridge/check-payload.ts";
import type { ShardKind } from "../../shared/shard/kinds/kind.ts";
import { kinds } from "../../shared/shard/kinds/kinds.ts";
import type { SurvivalKind } from "../../shared/survival/kinds/kind.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { undescribedFields } from "../support/bridge/described-fields.ts";

type Documented = Pick<ShardKind | SurvivalKind, "about" | "example"> & {
  payload: Joi.ObjectSchema;
};

const all: readonly (readonly [string, Documented])[] = [
  ...Object.entries<ShardKind>(kinds).map(([name, kind]) => [`uo ${name}`, kind] as const),
  ...Object.entries<SurvivalKind>(survivalFrameKinds).map(
    ([name, kind]) => [`rust ${name}`, kind] as const,
  ),
];

describe("each event kind", () => {
  it.each(all)("%s has a description in full sentences", (_name, { about }) => {
    expect(about).toMatch(/^[A-Z].*\.$/);
  });

  it.each(all)("%s has an example that is stored unchanged", (_name, kind) => {
    const sent: unknown = JSON.parse(JSON.stringify(kind.example));
    expect(checkPayloadAgainstSchema(kind.payload, sent)).toStrictEqual({ payload: sent });
    expect(compileSchema(kind.payload)(sent)).toBe(sent);
  });

  it.each(all)("%s has an example with declared fields only", (_name, { payload, example }) => {
    const { value } = payload.validate(example, {
      stripUnknown: { objects: true },
      convert: false,
    });
    expect(value).toStrictEqual(example);
  });

  it.each(all)("%s describes each field at every depth", (_name, { payload }) => {
    expect(undescribedFields(payload)).toEqual([]);
  });
});
