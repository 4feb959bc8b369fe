import * as fc from "fast-check";

import { audienceLadder, type Rung } from "../../shared/platform/access/roles.ts";
import { featureNames, features } from "../../shared/shard/visibility/features.ts";
import type {
  FeatureOverride,
  VisibilityOverrides,
} from "../../shared/shard/visibility/visibility.ts";

export const anyRung: fc.Arbitrary<Rung> = fc.constantFrom(...audienceLadder);

const overrideOf = (name: (typeof featureNames)[number]): fc.Arbitrary<FeatureOverride> =>
  fc.record(
    {
      enabled: fc.boolean(),
      audience: anyRung,
      stream: fc.boolean(),
      fieldRules: fc.record(
        Object.fromEntries(Object.keys(features[name].fieldRules).map((field) => [field, anyRung])),
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<FeatureOverride>;

/** Generates overrides that an administrator may store. */
export const anyOverrides = fc.record(
  Object.fromEntries(featureNames.map((name) => [name, overrideOf(name)])),
  { requiredKeys: [] },
) as fc.Arbitrary<VisibilityOverrides>;
