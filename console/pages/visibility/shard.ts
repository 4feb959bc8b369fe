import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { Field } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { AudienceForm, type AudienceFieldSpec, type AudienceValues } from "./audience-form.ts";
import { AudienceField, formatAudience, formatSwitch } from "./fields.ts";

type Config = AnswerOf<"GET /admin/shard/visibility">;
type Feature = keyof Config["features"];

/** The features of the shard: whether they are on, who sees them, and rules for single fields. */
export function ShardVisibility(): VNode {
  const read = useApiRead("GET /admin/shard/visibility", {});
  return html`<${ReadStateView} read=${read}>
    ${(config: Config) =>
      html`<p class="soft">${words.visibility.locked(config.lockedFields.map(fieldName).join(", "))}</p>
        <${AudienceForm}
          label=${words.visibility.shard}
          config=${config}
          toFlat=${toFlat}
          entries=${entriesFor}
          fields=${(base: Config) => html`<div class="cards">
            ${featuresOf(base).map(
              (feature) =>
                html`<${FeatureFields} key=${feature} feature=${feature} config=${base} />`,
            )}
          </div>`}
          save=${save}
        />`}
  <//>`;
}

const featuresOf = ({ features }: Config): Feature[] => Object.keys(features) as Feature[];

function toFlat(config: Config): AudienceValues {
  const values = featuresOf(config).flatMap((feature) => {
    const { enabled, audience, stream, fieldRules } = config.features[feature];
    const rules = Object.entries(fieldRules).map(([field, rung]) => [
      `${feature}.fieldRules.${field}`,
      rung,
    ]);
    return [
      [`${feature}.enabled`, enabled],
      [`${feature}.audience`, audience],
      [`${feature}.stream`, stream],
      ...rules,
    ];
  });
  return Object.fromEntries(values) as AudienceValues;
}

function entriesFor(config: Config): readonly AudienceFieldSpec[] {
  return Object.entries(toFlat(config)).map(([name, value]) => {
    const [feature = "", key = "", field = ""] = name.split(".");
    const part = field === "" ? words.visibility[key as "enabled"] : fieldName(field);
    return {
      name,
      label: `${words.visibility.features[feature as Feature]} · ${part}`,
      show: typeof value === "boolean" ? formatSwitch : formatAudience,
    };
  });
}

/** Builds the body of a change from the changed values, such as `market.fieldRules.location`. */
function save(changes: AudienceValues, basedOn: string): Promise<Config> {
  const features: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(changes)) {
    const [feature = "", key = "", field] = name.split(".");
    const target = (features[feature] ??= {});
    if (field === undefined) target[key] = value;
    else target[key] = Object.assign(target[key] ?? {}, { [field]: value });
  }
  return callApi("PUT /admin/shard/visibility", {
    body: { features, basedOn },
  });
}

const fieldName = (field: string): string =>
  words.visibility.fields[field as keyof typeof words.visibility.fields] ?? field;

function FeatureFields({
  feature,
  config: { features, defaults, ladder },
}: {
  readonly feature: Feature;
  readonly config: Config;
}): VNode {
  const { enabled, audience, stream, fieldRules } = features[feature];
  const normal = defaults[feature];
  const rules = Object.entries(fieldRules) as [string, string][];
  const normalRules = normal.fieldRules as Readonly<Record<string, string>>;
  return html`<fieldset class="card stack">
    <legend>${words.visibility.features[feature]}</legend>
    <p class="soft hint">${words.visibility.descriptions[feature]}</p>
    <${Field}
      label=${words.visibility.enabled}
      name=${`${feature}.enabled`}
      type="checkbox"
      defaultChecked=${enabled}
    />
    <${AudienceField}
      label=${words.visibility.audience}
      name=${`${feature}.audience`}
      value=${audience}
      normal=${normal.audience}
      ladder=${ladder}
    />
    ${rules.map(
      ([field, rung]) =>
        html`<${AudienceField}
          key=${field}
          label=${words.visibility.rule(fieldName(field))}
          name=${`${feature}.fieldRules.${field}`}
          value=${rung}
          normal=${normalRules[field] ?? ""}
          ladder=${ladder}
        />`,
    )}
    <${Field}
      label=${words.visibility.stream}
      name=${`${feature}.stream`}
      type="checkbox"
      defaultChecked=${stream}
    />
  </fieldset>`;
}
