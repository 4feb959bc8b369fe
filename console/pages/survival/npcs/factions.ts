import type { VNode } from "preact";

import { type AnswerOf, type BodyOf, callApi } from "../../../api/call.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { useServers } from "../use-servers.ts";
import { NpcSyncState } from "./reach.ts";

type Factions = AnswerOf<"GET /admin/survival/npcs/factions">;

const pairSpecs = (): readonly FieldSpec[] => {
  const { factions: text } = words.survival;
  const faction = { kind: "text", input: { required: true, list: "factions" } } as const;
  const stances = Object.entries(text.stances).map(([value, label]) => ({ value, text: label }));
  return [
    {
      name: "pairs",
      kind: "rows",
      label: text.pair,
      hint: text.pairsHint,
      of: [
        { name: "a", label: text.first, ...faction },
        { name: "b", label: text.second, ...faction },
        { name: "stance", kind: "select", label: text.stance, options: stances },
      ],
      fresh: { stance: "hostile" },
    },
  ];
};

const saveFactions = (body: object, basis: Factions): Promise<Factions> =>
  callApi("PUT /admin/survival/npcs/factions", {
    body: { ...body, basedOn: basis.revision } as BodyOf<"PUT /admin/survival/npcs/factions">,
  });

/** The stances between the factions of NPCs. */
export function SurvivalFactions(): VNode {
  const { factions: text } = words.survival;
  const read = useApiRead("GET /admin/survival/npcs/factions", {});
  return html`<${SitePageHeading} title=${words.survival.tabs.factions} />
    <${ReadStateView} read=${read}>
      ${(factions: Factions) =>
        html`<p class="soft">
            ${words.survival.npcs.changedBy(formatTime(factions.updatedAt), factions.updatedBy)}
          </p>
          <datalist id="factions">
            ${factions.factions.map((name) => html`<option key=${name} value=${name}></option>`)}
          </datalist>
          <${EditForm}
            label=${text.title}
            send=${words.actions.save}
            stored=${factions}
            specs=${pairSpecs()}
            isWhole
            save=${saveFactions}
          />
          <${FactionReach} push=${factions.push} />`}
    <//>`;
}

function FactionReach({ push }: Pick<Factions, "push">): VNode {
  const { npcs: text } = words.survival;
  const { nameOf } = useServers();
  const rows = push.map(({ serverId, state, at, error }) => ({
    key: serverId,
    cells: [
      nameOf(serverId),
      html`<${NpcSyncState} state=${state} />`,
      formatTime(at),
      error ?? "–",
    ],
  }));
  const heads = [text.server, text.state, text.sentAt, text.error];
  return html`<h2>${text.servers}</h2>
    <${Table} label=${text.servers} heads=${heads} rows=${rows} none=${text.noServers} />`;
}
