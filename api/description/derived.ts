import { exportParts } from "../../shared/own-data/catalogue.ts";
import { pluginAnswers } from "../../shared/platform/plugin/answers.ts";
import { publicSettingNames, settings } from "../../shared/platform/settings/catalogue.ts";
import { features } from "../../shared/shard/visibility/features.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { profileFields } from "../../shared/survival/npcs/profile-fields.ts";
import { toNullableSchema, type Schema, toOpenApi } from "../http/json-schema.ts";
import { exportPartComponents } from "./own-data/parts.ts";
import { describePublicPayload } from "./payloads.ts";
import { buildEnumSchemas } from "./word-schemas.ts";

/** Returns the schema of an object with these fields and no others. All are required. */
const whole = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  additionalProperties: false,
  ...(Object.keys(properties).length > 0 && { required: Object.keys(properties) }),
  properties,
});

const mapped = <Value>(given: Readonly<Record<string, Value>>, of: (value: Value) => Schema) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, of(value)]));

const rung: Schema = { $ref: "#/components/schemas/Rung" };

const featureVisibility: Schema = whole({
  enabled: { type: "boolean" },
  audience: rung,
  stream: {
    type: "boolean",
    description: "Whether the public event stream contains the events of the feature.",
  },
  fieldRules: { type: "object", additionalProperties: rung },
});

/** The schema of a feature's visibility settings. `fieldRules` lists the fields that rules can hide. */
const visibilityOf = ({ fieldRules }: { readonly fieldRules: object }): Schema => ({
  allOf: [
    { $ref: "#/components/schemas/FeatureVisibility" },
    {
      type: "object",
      properties: { fieldRules: whole(mapped({ ...fieldRules }, () => rung)) },
    },
  ],
});

const publicFields = () =>
  Object.fromEntries(
    publicSettingNames.map((name) => [settings[name].publicName, toOpenApi(settings[name].schema)]),
  );

/** Returns the schema of one part of the data export: an object, or a list of rows with one schema. */
const partOf = (name: keyof typeof exportParts): Schema => {
  const schema = { $ref: `#/components/schemas/${exportPartComponents[name]}` };
  return exportParts[name].kind === "whole" ? schema : { type: "array", items: schema };
};

const ownPartSchemas = () =>
  Object.fromEntries(
    (Object.keys(exportParts) as (keyof typeof exportParts)[]).map((name) => [name, partOf(name)]),
  );

/** The schemas of a survival server's permission report. */
function permissionReportSchemas(): Readonly<Record<string, Schema>> {
  const told = toOpenApi(survivalFrameKinds["perm.inventory"].payload, { isPayload: true });
  const { groups, permissions, users } = told["properties"] as Record<string, { items: Schema }>;
  return {
    ...(groups && { ToldGroup: groups.items }),
    ...(permissions && { ToldPermission: permissions.items }),
    ...(users && { ToldUser: users.items }),
  };
}

/** Component schemas derived from the code's catalogs. */
export const buildCatalogSchemas = (): Readonly<Record<string, Schema>> => ({
  ...buildEnumSchemas(),
  ...mapped(pluginAnswers, (schema) => toOpenApi(schema)),
  Settings: whole(mapped(settings, ({ schema }) => toOpenApi(schema))),
  PublicSettings: whole({
    siteName: { type: "string" },
    ...publicFields(),
    vapidPublicKey: {
      type: "string",
      nullable: true,
      description: "VAPID public key for push subscriptions. Null while push messages are off.",
    },
    limits: { $ref: "#/components/schemas/SiteLimits" },
  }),
  OwnData: whole({
    exported_at: { type: "string", format: "date-time" },
    ...ownPartSchemas(),
  }),
  FeatureVisibility: featureVisibility,
  FeatureVisibilities: whole(mapped(features, visibilityOf)),
  NpcDeath: toOpenApi(profileFields.death),
  ...permissionReportSchemas(),
  ...mapped(pluginAnswers, (schema) => toOpenApi(schema)),
  Ruleset: toNullableSchema(describePublicPayload("world.ruleset")),
});
