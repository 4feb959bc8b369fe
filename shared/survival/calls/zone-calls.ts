import Joi from "joi";

import type { ZonePlace } from "../../../models/survival/survival-zone-lease.ts";
import type { ZoneDocument } from "../../../models/survival/survival-zone-preset.ts";
import { declareCommand } from "../../platform/bridge/calls/call.ts";
import {
  count,
  field,
  flag,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { decimal } from "../kinds/fields.ts";

interface ZoneOrder {
  readonly leaseId: string;
  /** The zone's id in the game. Each lease has a new id, because a reused id would keep the old zone's flags. */
  readonly zoneId: string;
  readonly preset: ZoneDocument & { readonly key: string; readonly name: string };
  readonly at: ZonePlace;
  readonly ttlSec: number;
  readonly runId?: number;
}

const callMs = 8_000;

const optionalNumber = (what: string) => field(decimal().optional(), what);

const size = Joi.object({
  kind: field(Joi.string().valid("sphere", "box"), "Form of the zone."),
  radius: optionalNumber("Radius in meters. Absent unless `kind` is `sphere`."),
  x: optionalNumber("Extent from west to east in meters. Absent unless `kind` is `box`."),
  y: optionalNumber("Extent from bottom to top in meters. Absent unless `kind` is `box`."),
  z: optionalNumber("Extent from south to north in meters. Absent unless `kind` is `box`."),
});

const place = Joi.object({
  x: optionalNumber("Meters east of the middle of the map. Absent if `monument` is present."),
  y: optionalNumber("Height in meters. Absent if `monument` is present."),
  z: optionalNumber("Meters north of the middle of the map. Absent if `monument` is present."),
  monument: field(
    text(128).optional(),
    "Label of the monument in whose middle the zone is. Absent if `x`, `y` and `z` are present.",
  ),
});

const message = (when: string) =>
  field(nullish(text(256)), `Message for players who ${when} the zone. Null for none.`);

const preset = objectSchema({
  key: field(text(64), "Key that identifies the preset."),
  name: field(text(128), "Name of the zone."),
  shape: field(size, "Form and size of the zone."),
  rotation: field(decimal(), "Rotation of the zone, in degrees."),
  flags: field(
    listOf(text(64)),
    "Flags of the zone, by the names that the zone mod uses. The names are listed at the " +
      "beginning of the section about event kinds.",
  ),
  radiation: field(decimal(), "Amount of radiation in the zone."),
  comfort: field(decimal(), "Amount of comfort in the zone, from 0 to 1."),
  temperature: field(decimal(), "Temperature in the zone, in the game's unit."),
  safeZone: field(flag(), "Whether the zone is a safe zone of the game."),
  enterMessage: message("enter"),
  leaveMessage: message("leave"),
  permission: field(
    nullish(text(128)),
    "Permission that a player needs to enter the zone, without the prefix `zonemanager.`. Null " +
      "if everyone may enter.",
  ),
  ejectSpawns: field(
    nullish(text(128)),
    "Name of the spawn file with the places to which ejected players are moved. Null for none.",
  ),
  ruleset: field(
    nullish(text(128)),
    "Name of the ruleset of the server's PvE mod that applies in the zone. Null for none.",
  ),
  dome: field(
    objectSchema({
      enabled: field(flag(), "Whether a visible dome covers the zone."),
      darkness: field(decimal(), "Darkness of the dome, from 0 to 10."),
    }).allow(null),
    "Dome of the zone. Null for none.",
  ),
});

const leaseId = "7c1f2a30-6f0a-4c43-9d0e-5b9d3c7e1a44";

export const openZoneCall = declareCommand<{ readonly opened: boolean }, { body: ZoneOrder }>({
  method: "POST",
  path: "/v1/zones",
  answer: objectSchema({ opened: field(flag(), "Whether the zone is open.") }),
  timeoutMs: callMs,
  docs: {
    about:
      "Open a zone. If the site does not renew it, close it after `ttlSec` seconds by the game " +
      "server's clock, and send the event `lease.expired`. Keep the open zones in a file: after " +
      "each start, close each zone whose time is over, and send `lease.expired` for it. If there " +
      "is no monument with the given label, answer 404 `NOT_FOUND`.",
    body: objectSchema({
      leaseId: field(
        text(64),
        "Id of the lease. Later calls that renew or close the zone name it.",
      ),
      zoneId: field(text(80), "Id that the zone receives in the game."),
      preset: field(preset, "Properties of the zone."),
      at: field(place, "Place of the zone's middle: either `x`, `y` and `z`, or `monument`."),
      ttlSec: field(count(), "Number of seconds until the game closes the zone."),
      runId: field(
        count().optional(),
        "Id of the run of the site's scheduled event that opens the zone. Absent if there is none.",
      ),
    }),
    codes: ["NOT_FOUND"],
    example: {
      body: {
        leaseId,
        zoneId: `site-${leaseId}`,
        preset: {
          key: "arena",
          name: "Arena",
          shape: { kind: "sphere", radius: 40 },
          rotation: 0,
          flags: ["NoBuild", "NoDecay"],
          radiation: 0,
          comfort: 0,
          temperature: 0,
          safeZone: false,
          enterMessage: "Welcome to the arena.",
          leaveMessage: null,
          permission: null,
          ejectSpawns: null,
          ruleset: null,
          dome: { enabled: true, darkness: 3 },
        },
        at: { x: 620, y: 12, z: -210 },
        ttlSec: 60,
        runId: 7,
      },
      answer: { opened: true },
    },
  },
});

interface OfLease {
  readonly params: { readonly leaseId: string };
}

const params = { leaseId: "Id of the lease." };

/** Sets for how many seconds from now the game keeps a zone. */
export const renewZoneCall = declareCommand<
  object,
  OfLease & { body: { readonly ttlSec: number } }
>({
  method: "POST",
  path: "/v1/zones/:leaseId/renew",
  answer: objectSchema({}),
  timeoutMs: callMs,
  docs: {
    about: "Keep a zone open for `ttlSec` seconds from now.",
    params,
    body: objectSchema({
      ttlSec: field(count(), "Number of seconds from now until the game closes the zone."),
    }),
    codes: ["NOT_FOUND"],
    example: { params: { leaseId }, body: { ttlSec: 60 }, answer: {} },
  },
});

export const closeZoneCall = declareCommand<object, OfLease>({
  method: "DELETE",
  path: "/v1/zones/:leaseId",
  answer: objectSchema({}),
  timeoutMs: callMs,
  docs: {
    about: "Close a zone.",
    params,
    codes: ["NOT_FOUND"],
    example: { params: { leaseId }, answer: {} },
  },
});
