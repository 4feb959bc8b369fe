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
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
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
  key: Joi.string().pattern(/^[a-z0-9][a-z0-9-]{0,47}$/, "key"),
  name: nameText(100),
  shape: shapeField,
  rotation: Joi.number().min(-360).max(360).description("Degrees."),
  flags: Joi.array<string[]>()
    .items(Joi.string().valid(...zoneFlagNames))
    .unique(),
  radiation: Joi.number().min(0).max(1_000),
  comfort: Joi.number().min(0).max(1),
  temperature: Joi.number().min(-200).max(200),
  safeZone: Joi.boolean(),
  enterMessage: nameText(256).allow(null),
  leaveMessage: nameText(256).allow(null),
  permission: Joi.string()
    .pattern(/^(?!zonemanager\.)[a-z0-9_.-]{1,64}$/, "permission")
    .allow(null)
    .description("Without the prefix `zonemanager.`, which the game puts before it."),
  ejectSpawns: nameText(64).allow(null),
  ruleset: nameText(64).allow(null).description("Of the server's PvE mod."),
  dome: Joi.object({
    enabled: Joi.boolean().required(),
    darkness: Joi.number().integer().min(0).max(10).required(),
  }).allow(null),
  maxDurationSec: Joi.number().integer().min(60).max(86_400),
  color: Joi.string()
    .pattern(/^#[0-9a-fA-F]{6}$/, "color")
    .allow(null),
  servers: Joi.alternatives<"all" | number[]>(
    Joi.valid("all"),
    Joi.array().items(idField).unique().min(1).max(100),
  ).description("Where it may be opened."),
  confirmDestructive: Joi.boolean().description(
    "Has to be true where a flag does what cannot be undone.",
  ),
};

const place = Joi.alternatives<ZonePlace>(
  Joi.object({ x: coordinate.required(), y: coordinate.default(0), z: coordinate.required() }),
  Joi.string()
    .max(128)
    .custom((label: string) => ({ monument: label })),
).description("A point of the world, or the label of its one monument of that label.");

/** For the refusal of what is based on another revision. */
const based = {
  when: "optional",
  as: "hash",
  current: async (
    { params: { id } }: { readonly params: { readonly id: number } },
    context: ApiContext,
  ) => viewPreset(await readPreset(id, context)),
} as const;

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
    summary: "Zone presets, flags and open zones",
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
    summary: "Make a zone preset",
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
    description: "Fields that are left out stay. Zones that are open stay as they were opened.",
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
    description: "Refused while a step of an event opens it. Open zones of it stay.",
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
      "The service holds it for `durationSec` seconds and closes it then. The game ends it by itself " +
      "when the service holds it no longer. Where the game's answer was lost the state is `opening` " +
      "until it is known.",
    body: Joi.object<Opening>({
      serverId: idField.required(),
      presetKey: Joi.string().max(64).required(),
      at: place.required(),
      durationSec: Joi.number().integer().min(10).max(86_400).required(),
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
      "One that has ended stays as it is. While the game does not answer the state is `closing`.",
    params: Joi.object<{ leaseId: string }, true>({
      leaseId: Joi.string().required().description("As the list of open zones has it."),
    }),
    anyText: ["leaseId"],
    answers: { 200: leaseAnswer, 404: "Error" },
    handle: async (input, context) => ({
      lease: viewLease(await closeByHand(input.params.leaseId, orderOf(input), context)),
    }),
  }),
];
