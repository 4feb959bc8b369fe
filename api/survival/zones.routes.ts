import Joi from "joi";

import type { ZonePlace } from "../../models/survival/survival-zone-lease.ts";
import { findEventsOpeningPreset } from "../../shared/events/definitions/definitions.ts";
import { closeZoneManually, openZoneManually } from "../../shared/survival/zones/manual-zones.ts";
import {
  changePreset,
  createPreset,
  deletePreset,
  type NewPreset,
  type PresetFields,
} from "../../shared/survival/zones/presets.ts";
import { readPreset, readPresetByKey, readZones } from "../../shared/survival/zones/read-zones.ts";
import { zoneFlags } from "../../shared/survival/zones/zone-flags.ts";
import { createAnswer } from "../http/answer.ts";
import { hashRevisionCheck } from "../http/based-on.ts";
import { rowIdParams, idField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { createCommandRequest } from "../shard/order.ts";
import { placeField, presetFields } from "./zone-fields.ts";
import { viewLease, viewPreset } from "./zone-views.ts";

const common = { gate: "roles:admin", set: "additive", tag: "Survival staff" } as const;

/** The revision check of a preset. A `stale_revision` refusal contains the current preset. */
const based = hashRevisionCheck(async (id, context) => viewPreset(await readPreset(id, context)));

const presetAnswer = { enveloped: "preset", shape: "ZonePreset" } as const;
const leaseAnswer = { enveloped: "lease", shape: "ZoneLease" } as const;

interface Opening {
  readonly serverId: number;
  readonly presetKey: string;
  readonly at: ZonePlace;
  readonly durationSec: number;
}

export const zonesRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/zones",
    summary: "List zone presets, flags and open zones",
    description:
      "Returns all zone presets sorted by key, all flags that a preset can have, and the open " +
      "zones of all servers, newest first.",
    answers: { 200: "SurvivalZones" },
    handle: async (_input, context) => {
      const { presets, open } = await readZones(context);
      return { presets: presets.map(viewPreset), flags: zoneFlags, open: open.map(viewLease) };
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/zones/presets",
    summary: "Create a zone preset",
    description:
      "Creates a preset from which zones can be opened. Sends nothing to the game servers. The " +
      "activity log records the request as `survival.zone.preset_created`. 409 " +
      "`zone_preset_exists` if another preset has the key. 400 if a flag is destructive and " +
      "`confirmDestructive` is not true, or if a server is unknown.",
    body: Joi.object<NewPreset>({
      ...presetFields,
      key: presetFields.key.required(),
      name: presetFields.name.required(),
      shape: presetFields.shape.required(),
    }).example({
      key: "boss-arena",
      name: "Boss arena",
      shape: { kind: "sphere", radius: 75 },
      flags: ["NoBuild"],
    }),
    answers: { 201: presetAnswer, 409: "Error" },
    handle: async ({ body, caller }, context) => {
      const id = await createPreset(body, caller, context);
      return createAnswer(201, { preset: viewPreset(await readPreset(id, context)) });
    },
  }),
  defineRoute({
    ...common,
    method: "put",
    path: "/api/v1/admin/survival/zones/presets/:id",
    summary: "Change a zone preset",
    description:
      "Fields that the request omits keep their values. Zones that are already open do not " +
      "change. The activity log records the request as `survival.zone.preset_changed`. 400 if " +
      "`key` is present and is not the current key of the preset, or if the preset contains a " +
      "destructive flag and `confirmDestructive` is not true.",
    params: rowIdParams,
    body: Joi.object<PresetFields>(presetFields).example({ flags: ["NoBuild", "PveGod"] }),
    basedOn: based,
    answers: { 200: presetAnswer, 404: "Error" },
    find: ({ params }, context) => readPreset(params.id, context),
    handle: async ({ params: { id }, body, caller }, context) => {
      await changePreset(id, body, caller, context);
      return { preset: viewPreset(await readPreset(id, context)) };
    },
  }),
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/admin/survival/zones/presets/:id",
    summary: "Delete a zone preset",
    description:
      "Deletes a zone preset. Zones that were opened from the preset stay open. The activity log " +
      "records the request as `survival.zone.preset_deleted`. 409 `zone_preset_in_use` if a step " +
      "of an event opens zones from the preset.",
    params: rowIdParams,
    basedOn: based,
    answers: { 200: "DeletedId", 404: "Error", 409: "Error" },
    find: ({ params }, context) => readPreset(params.id, context),
    handle: async ({ params: { id }, caller }, context) => {
      await deletePreset(id, caller, findEventsOpeningPreset, context);
      return { id };
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/zones/open",
    summary: "Open a zone on a survival server",
    description:
      "Opens a zone in the current world of the server and closes it after `durationSec` " +
      "seconds. The zone is a lease that the service renews again and again: if the service " +
      "fails, the lease expires and the game removes the zone. If the game's response is lost, " +
      "the state of the zone is `opening` until the outcome is known. A repeated request opens " +
      "another zone. The ledger records the request, and the activity log records it as " +
      "`survival.zone.opened`.\n\n400 if the server or preset is unknown, if the map does not " +
      "have exactly one monument with the label in `at`, or if the preset does not allow the " +
      "duration. 409 `helper_missing` if the server has not loaded the zone mod. 503 " +
      "`shard_unavailable` if the game server is offline.",
    body: Joi.object<Opening>({
      serverId: idField.required(),
      presetKey: Joi.string().max(64).required().description("Key of the zone preset."),
      at: placeField.required(),
      durationSec: Joi.number()
        .integer()
        .min(10)
        .max(86_400)
        .required()
        .description(
          "For how many seconds the zone stays open, at most the `maxDurationSec` of the preset.",
        ),
    }).example({ serverId: 3, presetKey: "boss-arena", at: "launchsite", durationSec: 1_800 }),
    basedOn: {
      when: "optional",
      as: "hash",
      shownAs: "`revision` of the preset",
      current: async ({ body: { presetKey } }, context) =>
        viewPreset(await readPresetByKey(presetKey, context)),
    },
    answers: { 202: leaseAnswer, 409: "Error", 502: "Error", 503: "Error" },
    handle: async (input, context) =>
      createAnswer(202, {
        lease: viewLease(await openZoneManually(input.body, createCommandRequest(input), context)),
      }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/zones/leases/:leaseId/close",
    summary: "Close a zone",
    description:
      "Asks the game to remove the zone. If the game does not respond, the state of the zone is " +
      "`closing`, and the service retries until the game responds. If the zone has already " +
      "ended, nothing changes. The activity log records the request as `survival.zone.closed`. " +
      "404 `not_found` if the lease is unknown.",
    params: Joi.object<{ leaseId: string }, true>({
      leaseId: Joi.string()
        .required()
        .description("Lease id of the zone, as responses return it in `leaseId`."),
    }),
    anyText: ["leaseId"],
    answers: { 200: leaseAnswer, 404: "Error" },
    handle: async (input, context) => ({
      lease: viewLease(
        await closeZoneManually(input.params.leaseId, createCommandRequest(input), context),
      ),
    }),
  }),
];
