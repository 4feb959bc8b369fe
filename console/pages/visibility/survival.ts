import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { Field } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { AudienceForm, type AudienceFieldSpec, type AudienceValues } from "./audience-form.ts";
import { AudienceField, formatAudience, formatSwitch } from "./fields.ts";

type Config = AnswerOf<"GET /admin/survival/visibility">;

const monumentPrefix = "monument ";

/** The audiences of survival servers, their live map, its layers and monuments. */
export function SurvivalVisibility(): VNode {
  const read = useApiRead("GET /admin/survival/visibility", {});
  return html`<${ReadStateView} read=${read}>
    ${(config: Config) =>
      html`${
        config.updatedBy !== null &&
        html`<p class="soft">
        ${words.visibility.changed(formatTime(config.updatedAt), config.updatedBy)}
      </p>`
      }
        <${AudienceForm}
          label=${words.visibility.survival}
          config=${config}
          toFlat=${toFlat}
          entries=${entriesFor}
          fields=${(base: Config) => html`<${SurvivalFields} config=${base} />`}
          save=${save}
        />`}
  <//>`;
}

const toFlat = (config: Config): AudienceValues => ({
  ...audiencesIn(config),
  "liveMap.card": config.liveMap.card,
  ...Object.fromEntries(
    config.monuments.map(({ label, shown }) => [monumentPrefix + label, shown] as const),
  ),
});

const audiencesIn = ({
  presence,
  roster,
  profiles,
  liveMap,
  layers,
}: Pick<Config, "presence" | "roster" | "profiles" | "liveMap" | "layers">) => ({
  presence,
  roster,
  profiles,
  "liveMap.audience": liveMap.audience,
  "layers.world": layers.world,
  "layers.events": layers.events,
  "layers.players": layers.players,
  "layers.bases": layers.bases,
});

type AudienceName = keyof ReturnType<typeof audiencesIn>;

const audienceNames = (config: Config): AudienceName[] =>
  Object.keys(audiencesIn(config)) as AudienceName[];

/** The site never shows positions of players and bases to callers below the staff. */
const ladderOf = (name: AudienceName, ladder: readonly string[]): readonly string[] =>
  name === "layers.players" || name === "layers.bases"
    ? ladder.slice(ladder.indexOf("staff"))
    : ladder;

const entriesFor = (config: Config): readonly AudienceFieldSpec[] => [
  ...audienceNames(config).map((name) => ({
    name,
    label: words.visibility.survivalParts[name],
    show: formatAudience,
  })),
  { name: "liveMap.card", label: words.visibility.liveMapCard, show: formatSwitch },
  ...config.monuments.map(({ label, name }) => ({
    name: monumentPrefix + label,
    label: words.visibility.monument(name ?? label),
    show: formatSwitch,
  })),
];

/** Builds the body of a change from the changed values, such as `layers.world`. */
function save(changes: AudienceValues, basedOn: string): Promise<Config> {
  const body: Record<string, unknown> = { basedOn };
  const monuments: { label: string; shown: boolean }[] = [];
  for (const [name, value] of Object.entries(changes)) {
    const [group = "", key] = name.split(".");
    if (name.startsWith(monumentPrefix)) {
      monuments.push({ label: name.slice(monumentPrefix.length), shown: value === true });
    } else if (key === undefined) body[group] = value;
    else body[group] = Object.assign(body[group] ?? {}, { [key]: value });
  }
  if (monuments.length > 0) body["monuments"] = monuments;
  return callApi("PUT /admin/survival/visibility", {
    body,
  });
}

function SurvivalFields({ config }: { readonly config: Config }): VNode {
  const [values, normal] = [audiencesIn(config), audiencesIn(config.defaults)];
  return html`<div class="fields">
      ${audienceNames(config).map(
        (name) =>
          html`<${AudienceField}
            key=${name}
            label=${words.visibility.survivalParts[name]}
            name=${name}
            value=${values[name]}
            normal=${normal[name]}
            ladder=${ladderOf(name, config.ladder)}
          />`,
      )}
    </div>
    <${Field}
      label=${words.visibility.liveMapCard}
      name="liveMap.card"
      type="checkbox"
      defaultChecked=${config.liveMap.card}
    />
    ${
      config.monuments.length > 0 &&
      html`<fieldset class="card">
      <legend>${words.visibility.monuments}</legend>
      <div class="fields">
        ${config.monuments.map(
          ({ label, name, shown }) =>
            html`<${Field}
              key=${label}
              label=${name ?? label}
              name=${monumentPrefix + label}
              type="checkbox"
              defaultChecked=${shown}
            />`,
        )}
      </div>
    </fieldset>`
    }`;
}
