import Joi from "joi";

import { storageBoundNames, defaultStorageBounds } from "./survival-bounds.ts";
import { durationSchema, listValueSchema, numbersByNameSchema } from "./values.ts";
import { requireAtLeast, defineVariable } from "./variable.ts";

const defaultText = storageBoundNames
  .map((name) => `${name}=${defaultStorageBounds[name]}`)
  .join(",");

export const survivalVariables = {
  SURVIVAL_DIAL_TIMEOUT: defineVariable(
    durationSchema("5s", { least: "1s" }),
    "longest time that each step may take when the site tests the link to a survival server",
  ),
  SURVIVAL_SETTLE: defineVariable(
    durationSchema("90s", { least: "1s", most: "1h" }),
    "how long the site waits for the result after it has written a plugin's configuration on a " +
      "survival server, before the write counts as lost; compiling the plugin can take longer " +
      "than 10s",
  ),
  SURVIVAL_DEBOUNCE: defineVariable(
    durationSchema("5s", { most: "10m" }),
    "how long the site collects changes for a survival server before it sends them together",
    requireAtLeast("1s"),
  ),
  SURVIVAL_PERMISSION_DENY: defineVariable(
    listValueSchema(Joi.string().lowercase().max(128)).default(["oxide.*", "carbon.*"]),
    "permissions that the site never grants on survival servers, separated by commas; `x.*` " +
      "covers every permission that begins with `x.`",
  ),
  SURVIVAL_LEASE_TTL: defineVariable(
    durationSchema("60s", { least: "15s" }),
    "how long a survival server keeps a zone open without a renewal by the site",
  ),
  SURVIVAL_LIVE_INTERVAL: defineVariable(
    durationSchema("5s", { most: "1m" }),
    "shortest time between two updates of the live map of a survival server",
    requireAtLeast("5s"),
  ),
  SURVIVAL_OFFLINE_GRACE: defineVariable(
    durationSchema("90s", { least: "1s" }),
    "how long a survival server must be offline before the site announces that it is offline, " +
      "and how long it must be online again before the site announces that it is back",
  ),
  SURVIVAL_BOUNDS: defineVariable(
    numbersByNameSchema(storageBoundNames, defaultStorageBounds),
    `limits on the data that the site stores of one survival server, where they differ from the defaults, for example \`events=50000,sightings=100000\`; the defaults: ${defaultText}`,
  ),
};
