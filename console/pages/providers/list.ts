import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { pageUrlOf } from "../content/address.ts";

type ProviderConfig = AnswerOf<"GET /admin/auth/providers">[number];

/** The providers at which people sign in, with the state of each. */
export function Providers(): VNode {
  const read = useApiRead("GET /admin/auth/providers", {});
  return html`<div class="row">
      <h1>${words.pages.providers}</h1>
      <a class="button" href="/console/providers/new">${words.providers.create}</a>
    </div>
    <p class="soft">${words.providers.hint}</p>
    <${ReadStateView} read=${read}>
      ${(list: readonly ProviderConfig[]) => html`<${ProviderTable} list=${list} />`}
    <//>`;
}

function ProviderTable({ list }: { readonly list: readonly ProviderConfig[] }): VNode {
  const { name, id, turnedOn, health, none, priority, states } = words.providers;
  const rows = list.map((one) => ({
    key: one.id,
    cells: [
      html`<a href=${pageUrlOf("/console/providers", one.id)}>${one.name}</a>`,
      html`<code>${one.id}</code>`,
      one.enabled ? words.yes : words.no,
      html`<span class=${one.health.status === "ok" ? "good" : one.enabled ? "bad" : "soft"}>
        ${states[one.health.status].name}
      </span>`,
      one.priority,
    ],
  }));
  return html`<${Table}
    label=${words.pages.providers}
    heads=${[name, id, turnedOn, health, { text: priority, isNumber: true }]}
    rows=${rows}
    none=${none}
  />`;
}
