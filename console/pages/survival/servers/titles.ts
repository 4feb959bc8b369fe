import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, type BodyOf, callApi } from "../../../api/call.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import type { Option } from "../../../parts/options.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { useAccessCheck } from "../../../shell/session.ts";
import { words } from "../../../words/words.ts";
import { ServerPageHeading } from "../heads.ts";

type Titles = AnswerOf<"GET /admin/survival/servers/{id}/titles">;
type Rules = Pick<Titles, "mode" | "max" | "rules" | "revision">;

/** The chat titles of a server: its rules, and the players who hold a title. */
export function SurvivalTitles({ params: { id = "" } }: PageProps): VNode {
  const { titles: text } = words.survival;
  const may = useAccessCheck();
  const path = { id: Number(id) };
  const read = useApiRead("GET /admin/survival/servers/{id}/titles", { path });
  const mayEdit = may("PUT /admin/survival/servers/{id}/titles");
  const stats = useApiRead("GET /admin/survival/title-categories", mayEdit ? {} : null);
  const options = (stats.data?.categories ?? []).map(({ stat, label, title }) => ({
    value: stat,
    text: `${label} (${title})`,
  }));
  return html`<${ServerPageHeading} id=${id} title=${words.survival.serverTabs.titles} />
    <${ReadStateView} read=${read}>
      ${(titles: Titles) =>
        html`<${TitlesPush} push=${titles.push} />
          <h2>${text.rules}</h2>
          ${
            mayEdit
              ? html`<${ReadStateView} read=${stats}>
                ${() =>
                  html`<${TitleRules} serverId=${path.id} titles=${titles} stats=${options} />`}
              <//>`
              : html`<${RuleTable} titles=${titles} />`
          }
          <${Holders} holders=${titles.holders} />`}
    <//>`;
}

function TitlesPush({ push }: Pick<Titles, "push">): VNode | null {
  const { titles: text, reach } = words.survival;
  if (push === null) return null;
  return html`<p class=${push.state === "failed" ? "bad" : "soft"}>
    ${text.push(reach[push.state], formatTime(push.at))} ${push.error}
  </p>`;
}

const specsOf = (
  mode: string,
  setMode: (mode: string) => void,
  stats: readonly Option[],
): readonly FieldSpec[] => {
  const { titles: text } = words.survival;
  const modes = Object.entries(text.modes).map(([value, label]) => ({ value, text: label }));
  const max: FieldSpec = {
    name: "max",
    kind: "number",
    label: text.max,
    input: { min: 1, max: 10, step: 1, required: true },
  };
  const of: readonly FieldSpec[] = [
    { name: "stat", kind: "select", label: text.stat, options: stats },
    {
      name: "topN",
      kind: "number",
      label: text.topN,
      input: { min: 1, max: 10, step: 1, required: true },
    },
    { name: "text", kind: "text", label: text.text, hint: text.textHint, isNullable: true },
    { name: "color", kind: "text", label: text.color, hint: text.colorHint, isNullable: true },
    { name: "enabled", kind: "check", label: text.enabled },
  ];
  return [
    { name: "mode", kind: "select", label: text.mode, options: modes, onChange: setMode },
    ...(mode === "upTo" ? [max] : []),
    {
      name: "rules",
      kind: "rows",
      label: text.rule,
      hint: text.rulesHint,
      of,
      fresh: { topN: 1, enabled: true },
    },
  ];
};

function TitleRules({
  serverId,
  titles,
  stats,
}: {
  readonly serverId: number;
  readonly titles: Titles;
  readonly stats: readonly Option[];
}): VNode {
  const { titles: text } = words.survival;
  const [mode, setMode] = useState<string>(titles.mode);
  const save = (body: object, basis: Rules): Promise<Rules> =>
    callApi("PUT /admin/survival/servers/{id}/titles", {
      path: { id: serverId },
      body: {
        ...body,
        basedOn: basis.revision,
      } as BodyOf<"PUT /admin/survival/servers/{id}/titles">,
    });
  return html`<${EditForm}
    label=${text.rules}
    send=${words.actions.save}
    stored=${titles}
    specs=${specsOf(mode, setMode, stats)}
    isWhole
    onShown=${(stored: Rules) => setMode(stored.mode)}
    save=${save}
  />`;
}

function RuleTable({ titles: { rules } }: { readonly titles: Titles }): VNode {
  const { titles: text } = words.survival;
  const rows = rules.map(({ id, stat, topN, text: title, color, enabled }) => ({
    key: id,
    cells: [stat, topN, title ?? "–", color ?? "–", enabled ? words.yes : words.no],
  }));
  const heads = [
    text.stat,
    { text: text.topN, isNumber: true },
    text.text,
    text.color,
    text.enabled,
  ];
  return html`<${Table} label=${text.rules} heads=${heads} rows=${rows} />`;
}

function Holders({ holders }: Pick<Titles, "holders">): VNode {
  const { titles: text } = words.survival;
  const rows = holders.map(({ steamId, titles }) => ({
    key: steamId,
    cells: [
      html`<a href=${`/console/survival/players?steamId=${steamId}`}>${steamId}</a>`,
      titles.map((one) => text.held(one.text, one.rank)).join(", "),
    ],
  }));
  return html`<h2>${text.holders}</h2>
    <${Table}
      label=${text.holders}
      heads=${[text.player, text.heldTitles]}
      rows=${rows}
      none=${text.noHolders}
    />`;
}
