import Joi from "joi";

import type { ZonePlace } from "../../models/survival/survival-zone-lease.ts";
import type { ZoneShape } from "../../models/survival/survival-zone-preset.ts";
import {
  changePreset,
  createPreset,
  deletePreset,
  type NewPreset,
  type PresetFields,
} from "../../shared/survival/zone-presets/manage-presets.ts";
import {
  readPreset,
  readPresetByKey,
  readZones,
} from "../../shared/survival/zone-presets/read-zones.ts";
import { zoneFlagNames, zoneFlags } from "../../shared/survival/zone-presets/zone-flags.ts";
import { closeByHand, openByHand } from "../../shared/survival/zones/zones-by-hand.ts";
import { nameText } from "../../shared/visible-text.ts";
import { answer } from "../http/answer.ts";
import { hashedThing } from "../http/based-on.ts";
import { byId, idField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { orderOf } from "../shard/order.ts";
import { viewLease, viewPreset } from "./zone-views.ts";

const common = { gate: "roles:admin", set: "additive", tag: "Survival staff" } as const;

const side = Joi.number().min(1).max(2_000).required();
const coordinate = Joi.number().min(-20_000).max(20_000);

const shapeField = Joi.alternatives<ZoneShape>(
  Joi.object({
    kind: Joi.valid("sphere").required(),
    radius: Joi.number().min(1).max(1_000).required(),
  }),
  Joi.object({ kind: Joi.valid("box").required(), x: side, y: side, z: side }),
);

const presetFields = {
  key: Joi.string()
    .pattern(/^[a-z0-9][a-z0-9-]{0,47}$/, "key")
    .description("Unique name of the preset, used to open zones. It cannot be changed."),
  name: nameText(100),
  shape: shapeField,
  rotation: Joi.number().min(-360).max(360).description("In degrees."),
  flags: Joi.array<string[]>()
    .items(Joi.string().valid(...zoneFlagNames))
    .unique()
    .description("Flags of the zone mod. `GET /admin/survival/zones` lists them."),
  radiation: Joi.number().min(0).max(1_000),
  comfort: Joi.number().min(0).max(1),
  temperature: Joi.number().min(-200).max(200),
  safeZone: Joi.boolean().description("Whether the zone is a safe zone of the game."),
  enterMessage: nameText(256).allow(null).description("Shown to players who enter. Null for none."),
  leaveMessage: nameText(256).allow(null).description("Shown to players who leave. Null for none."),
  permission: Joi.string()
    .pattern(/^(?!zonemanager\.)[a-z0-9_.-]{1,64}$/, "permission")
    .allow(null)
    .description(
      "Permission that lets players enter, without the prefix `zonemanager.`. Null for none.",
    ),
  ejectSpawns: nameText(64)
    .allow(null)
    .description("Name of the spawn file that ejected players are sent to. Null for none."),
  ruleset: nameText(64)
    .allow(null)
    .description("Ruleset of the server's PvE mod that applies in the zone. Null for none."),
  dome: Joi.object({
    enabled: Joi.boolean().required(),
    darkness: Joi.number().integer().min(0).max(10).required(),
  })
    .allow(null)
    .description("Visible dome over the zone. Null for none."),
  maxDurationSec: Joi.number()
    .integer()
    .min(60)
    .max(86_400)
    .description(
      "Maximum time in seconds that a zone may stay open. Default for a new preset: 3600.",
    ),
  color: Joi.string()
    .pattern(/^#[0-9a-fA-F]{6}$/, "color")
    .allow(null)
    .description("Color of the zone on the site's map."),
  servers: Joi.alternatives<"all" | number[]>(
    Joi.valid("all"),
    Joi.array().items(idField).unique().min(1).max(100),
  ).description("Servers on which the preset may be used. Default for a new preset: `all`."),
  confirmDestructive: Joi.boolean().description(
    "Must be true if the preset has a destructive flag after the request.",
  ),
};

const place = Joi.alternatives<ZonePlace>(
  Joi.object({ x: coordinate.required(), y: coordinate.default(0), z: coordinate.required() }),
  Joi.string()
    .max(128)
    .custom((label: string) => ({ monument: label })),
).description(
  "A point of the world in meters, or the label of a monument. The map must have exactly one " +
    "monument with the label.",
);

/** For the refusal of what is based on another revision. */
const based = hashedThing(async (id, context) => viewPreset(await readPreset(id, context)));

const presetAnswer = { enveloped: "preset", shape: "ZonePreset" } as const;
const leaseAnswer = { enveloped: "lease", shape: "ZoneLease" } as const;

interface Opening {
  readonly serverId: number;
  readonly presetKey: string;
  readonly at: ZonePlace;
  readonly durationSec: number;
}

/** Sorts of zones, and the zones that are open. */
export const zonesRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/zones",
    summary: "List zone presets, flags and open zones",
    description:
      "Returns all presets sorted by key, all flags that a preset can have, and the open zones " +
      "of all servers, newest first.",
    answers: { 200: "SurvivalZones" },
    handle: async (_input, context) => {
      const { presets, open } = await readZones(context);
      return { presets: presets.map(viewPreset), flags: zoneFlags, open: open.map(viewLease) };
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/zones/presets",
    summary: "Create a zone preset",
    description:
      "Creates a preset from which zones can be opened; nothing is sent to the game servers. " +
      "Recorded in the activity log as `survival.zone.preset_created`. 409 `zone_preset_exists` " +
      "if a preset has the key. 400 if a flag is destructive and `confirmDestructive` is not " +
      "true, or for an unknown server.",
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
      return answer(201, { preset: viewPreset(await readPreset(id, context)) });
    },
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/survival/zones/presets/:id",
    summary: "Change a zone preset",
    description:
      "Omitted fields keep their values. Zones that are open already do not change. Recorded in " +
      "the activity log as `survival.zone.preset_changed`. 400 for a new key, or if the preset " +
      "has a destructive flag and `confirmDestructive` is not true.",
    params: byId,
    body: Joi.object<PresetFields>(presetFields).example({ flags: ["NoBuild", "PveGod"] }),
    basedOn: based,
    answers: { 200: presetAnswer, 404: "Error" },
    find: ({ params }, context) => readPreset(params.id, context),
    handle: async ({ params: { id }, body, caller }, context) => {
      await changePreset(id, body, caller, context);
      return { preset: viewPreset(await readPreset(id, context)) };
    },
  }),
  route({
    ...common,
    method: "delete",
    path: "/api/v1/admin/survival/zones/presets/:id",
    summary: "Delete a zone preset",
    description:
      "Deletes a preset. Zones that were opened from it stay open. Recorded in the activity log " +
      "as `survival.zone.preset_deleted`. 409 `zone_preset_in_use` if a step of an event opens " +
      "it.",
    params: byId,
    basedOn: based,
    answers: { 200: "DeletedId", 404: "Error", 409: "Error" },
    find: ({ params }, context) => readPreset(params.id, context),
    handle: async ({ params: { id }, caller }, context) => {
      await deletePreset(id, caller, context);
      return { id };
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/zones/open",
    summary: "Open a zone on a survival server",
    description:
      "Opens a zone in the current world and closes it after `durationSec` seconds. The zone is " +
      "a lease that the service keeps renewing, so the game soon removes the zone if the service " +
      "fails. If the game's response is lost, the state is `opening` until the outcome is known. " +
      "A repeat opens another zone. Recorded in the ledger and in the activity log as " +
      "`survival.zone.opened`.\n\n" +
      "400 for an unknown server or preset, a monument label that the map does not have exactly " +
      "once, or a duration that the preset does not allow. 409 `helper_missing` if the server " +
      "lacks the zone mod. 503 `shard_unavailable` if the server is offline.",
    body: Joi.object<Opening>({
      serverId: idField.required(),
      presetKey: Joi.string().max(64).required().description("Key of the preset."),
      at: place.required(),
      durationSec: Joi.number()
        .integer()
        .min(10)
        .max(86_400)
        .required()
        .description("Seconds that the zone stays open, at most `maxDurationSec` of the preset."),
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
      answer(202, { lease: viewLease(await openByHand(input.body, orderOf(input), context)) }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/zones/leases/:leaseId/close",
    summary: "Close a zone",
    description:
      "Has the game remove a zone. If the game does not respond, the state is `closing`, and the " +
      "service retries until the game responds. Closing a zone that has ended changes nothing. " +
      "Recorded in the activity log as `survival.zone.closed`. 404 for an unknown lease.",
    params: Joi.object<{ leaseId: string }, true>({
      leaseId: Joi.string().required().description("`leaseId` of the zone."),
    }),
    anyText: ["leaseId"],
    answers: { 200: leaseAnswer, 404: "Error" },
    handle: async (input, context) => ({
      lease: viewLease(await closeByHand(input.params.leaseId, orderOf(input), context)),
    }),
  }),
];
