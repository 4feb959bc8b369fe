import Joi from "joi";

import { boundNames, standardBounds } from "../survival/bounds/bounds.ts";
import { duration, listOf, numbersByName } from "./values.ts";
import { atLeast, variable } from "./variable.ts";

const standardText = boundNames.map((name) => `${name}=${standardBounds[name]}`).join(",");

/** How patient the service is with survival servers, and how much of each it keeps. */
export const survivalVariables = {
  SURVIVAL_DIAL_TIMEOUT: variable(
    duration("5s", { least: "1s" }),
    "how long each step of trying the link to a survival server may take",
  ),
  SURVIVAL_SETTLE: variable(
    duration("90s", { least: "1s", most: "1h" }),
    "how long a plugin of a survival server may take to load a configuration before it counts as lost; compiling can take longer than 10s",
  ),
  SURVIVAL_DEBOUNCE: variable(
    duration("5s", { most: "10m" }),
    "how long changes for survival servers are gathered before they are pushed",
    atLeast("1s"),
  ),
  SURVIVAL_PERMISSION_DENY: variable(
    listOf(Joi.string().lowercase().max(128)).default(["oxide.*", "carbon.*"]),
    "permissions of survival servers that nobody is given from the site, separated by commas; `x.*` is all that begins with `x.`; those of the mod loaders unless set",
  ),
  SURVIVAL_LEASE_TTL: variable(
    duration("60s", { least: "15s" }),
    "how long a survival server keeps a zone open that the service holds no longer",
  ),
  SURVIVAL_LIVE_INTERVAL: variable(
    duration("5s", { most: "1m" }),
    "how long the live map of a survival server stands still at the least, however often the game tells where things are",
    atLeast("5s"),
  ),
  SURVIVAL_OFFLINE_GRACE: variable(
    duration("90s", { least: "1s" }),
    "how long a survival server must be away, or back, before anybody is told",
  ),
  SURVIVAL_BOUNDS: variable(
    numbersByName(boundNames, standardBounds),
    `how much of one survival server is kept, where that differs from the standard, as \`events=50000,sightings=100000\`; the standard: ${standardText}`,
  ),
};
