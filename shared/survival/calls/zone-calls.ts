import Joi from "joi";

import type { ZonePlace } from "../../../models/survival/survival-zone-lease.ts";
import type { ZoneDocument } from "../../../models/survival/survival-zone-preset.ts";
import { command } from "../../bridge/call.ts";
import { count, field, flag, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { decimal } from "../kinds/fields.ts";

interface ZoneOrder {
  readonly leaseId: string;
  /** What the game knows the zone by: of its own for each lease, since an old zone keeps its flags. */
  readonly zoneId: string;
  readonly preset: ZoneDocument & { readonly key: string; readonly name: string };
  readonly at: ZonePlace;
  readonly ttlSec: number;
  readonly runId?: number;
}

const callMs = 8_000;

const meters = (what: string) => field(decimal().optional(), `Meters ${what}.`);

const size = Joi.object({
  kind: field(Joi.string().valid("sphere", "box"), "Form of the zone."),
  radius: meters("from the middle, of a sphere"),
  x: meters("from west to east, of a box"),
  y: meters("from bottom to top, of a box"),
  z: meters("from south to north, of a box"),
});

const place = Joi.object({
  x: meters("to the east of the middle of the map"),
  y: meters("up"),
  z: meters("to the north of the middle of the map"),
  monument: field(text(128).optional(), "Label of the monument in whose middle the zone is."),
});

const message = (when: string) => field(maybe(text(256)), `Message to players who ${when}.`);

const preset = shape({
  key: field(text(64), "Key of the preset."),
  name: field(text(128), "Name of the zone."),
  shape: field(size, "Form and size."),
  rotation: field(decimal(), "Direction in degrees."),
  flags: field(listOf(text(64)), "Flags of the zone, by the names of the zone mod."),
  radiation: field(decimal(), "Radiation in the zone."),
  comfort: field(decimal(), "Comfort in the zone."),
  temperature: field(decimal(), "Temperature in the zone."),
  safeZone: field(flag(), "Whether it is a safe zone."),
  enterMessage: message("enter"),
  leaveMessage: message("leave"),
  permission: field(maybe(text(128)), "Permission that a player needs to enter."),
  ejectSpawns: field(maybe(text(128)), "Spawn file for players who are thrown out."),
  ruleset: field(maybe(text(128)), "Rules of the combat mod that hold in the zone."),
  dome: field(
    shape({
      enabled: field(flag(), "Whether a dome shows the zone."),
      darkness: field(decimal(), "How dark the dome is, from 0 to 10."),
    }).allow(null),
    "Dome of the zone. Null for none.",
  ),
});

const leaseId = "7c1f2a30-6f0a-4c43-9d0e-5b9d3c7e1a44";

export const openZoneCall = command<{ readonly opened: boolean }, { body: ZoneOrder }>({
  method: "POST",
  path: "/v1/zones",
  answer: shape({ opened: field(flag(), "Whether the zone is there.") }),
  timeoutMs: callMs,
  docs: {
    about:
      "Open a zone, and close it after `ttlSec` seconds unless the site renews it. Count by the " +
      "game's own clock. Keep open zones in a file: after a start, close those whose time is over " +
      "and send `lease.expired`.",
    body: shape({
      leaseId: field(text(64), "Id of the lease, which renews and closes the zone."),
      zoneId: field(text(80), "Id of the zone in the game."),
      preset: field(preset, "What the zone is like."),
      at: field(place, "Middle of the zone: `x`, `y` and `z`, or a monument."),
      ttlSec: field(count(), "Seconds until the zone is closed."),
      runId: field(count().optional(), "Run of an event of the site."),
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

/** Has the game hold a zone for so many seconds from now. */
export const renewZoneCall = command<object, OfLease & { body: { readonly ttlSec: number } }>({
  method: "POST",
  path: "/v1/zones/:leaseId/renew",
  answer: shape({}),
  timeoutMs: callMs,
  docs: {
    about: "Keep a zone open for some seconds from now.",
    params,
    body: shape({ ttlSec: field(count(), "Seconds from now until the zone is closed.") }),
    codes: ["NOT_FOUND"],
    example: { params: { leaseId }, body: { ttlSec: 60 }, answer: {} },
  },
});

export const closeZoneCall = command<object, OfLease>({
  method: "DELETE",
  path: "/v1/zones/:leaseId",
  answer: shape({}),
  timeoutMs: callMs,
  docs: {
    about: "Close a zone.",
    params,
    codes: ["NOT_FOUND"],
    example: { params: { leaseId }, answer: {} },
  },
});
