import type { VNode } from "preact";

import type { AnswerOf } from "../../../api/call.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { words } from "../../../words/words.ts";
import { ServerPageHeading } from "../heads.ts";
import type { Server } from "../use-servers.ts";
import { saveServer } from "./save-server.ts";
import { WipeSchedule } from "./schedule.ts";

const settings = (): readonly FieldSpec[] => {
  const { settings: text } = words.survival;
  return [
    { name: "name", kind: "text", label: text.name, input: { required: true } },
    {
      name: "slug",
      kind: "text",
      label: text.slug,
      hint: text.slugHint,
      input: { required: true },
    },
    { name: "description", kind: "area", label: text.description, isNullable: true },
    { name: "region", kind: "text", label: text.region, isNullable: true },
    {
      name: "connect",
      kind: "text",
      label: text.connect,
      hint: text.connectHint,
      isNullable: true,
    },
    { name: "sort", kind: "number", label: text.sort, hint: text.sortHint },
    { name: "listed", kind: "check", label: text.listed },
    { name: "acceptsLinks", kind: "check", label: text.acceptsLinks, hint: text.acceptsLinksHint },
    { name: "permissionSync", kind: "check", label: text.permissionSync },
    { name: "showSeed", kind: "check", label: text.showSeed },
    { name: "ignoreStaff", kind: "check", label: text.ignoreStaff },
  ];
};

/** The settings of a server other than its link. */
export function SurvivalSettings({ params: { id = "" } }: PageProps): VNode {
  const { settings: text } = words.survival;
  const read = useApiRead("GET /admin/survival/servers/{id}", { path: { id: Number(id) } });
  return html`<${ServerPageHeading} id=${id} title=${words.survival.serverTabs.settings} />
    <${ReadStateView} read=${read}>
      ${({ server }: AnswerOf<"GET /admin/survival/servers/{id}">) =>
        html`<h2>${text.title}</h2>
          <${EditForm}
            label=${text.title}
            send=${words.actions.save}
            stored=${server}
            specs=${settings()}
            save=${saveServer}
          />
          <${WipeSchedule} server=${server} />
          <${PublicTabs} tabs=${server.tabs} />`}
    <//>`;
}

/** The parts of the server that the public pages show. They follow from the visibility and the data. */
function PublicTabs({ tabs }: { readonly tabs: Server["tabs"] }): VNode {
  const { settings: text } = words.survival;
  return html`<h2>${text.publicTabs}</h2>
    <p class="soft">${text.publicTabsHint}</p>
    <dl>
      ${Object.entries(text.tabs).map(
        ([tab, name]) =>
          html`<dt key=${tab}>${name}</dt>
            <dd>${tabs[tab as keyof Server["tabs"]] ? words.yes : words.no}</dd>`,
      )}
    </dl>`;
}
