import type { VNode } from "preact";
import { useState } from "preact/hooks";

import type { AnswerOf } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { type ReadState, useApiRead } from "../../parts/use-read.ts";
import type { PageProps } from "../../shell/frame.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { type Editor, useEditorState } from "./editor/editor.ts";
import { EventForm } from "./editor/event-form.ts";
import { EventRuns } from "./event-runs.ts";
import { EventLinks } from "./links.ts";
import { Publication } from "./publication.ts";
import { ReportView } from "./report.ts";
import type { Catalog, Definition, DryRunReport } from "./types.ts";

type EventRead = ReadState<AnswerOf<"GET /admin/events/{id}">>;

/** One event: its publication, its coming runs and its form. */
export function EventPage({ params }: PageProps): VNode {
  const event = useApiRead("GET /admin/events/{id}", { path: { id: Number(params["id"]) } });
  const catalog = useApiRead("GET /admin/events/catalog", {});
  return html`<h1>${event.data?.event.title ?? words.pages.event}</h1>
    <${EventLinks} />
    <${ReadStateView} read=${event}>
      ${(data: AnswerOf<"GET /admin/events/{id}">) =>
        html`<${ReadStateView} read=${catalog}>
          ${(given: Catalog) =>
            html`<${Opened} event=${data.event} catalog=${given} read=${event} />`}
        <//>`}
    <//>`;
}

function Opened({
  event,
  catalog,
  read,
}: {
  readonly event: Definition;
  readonly catalog: Catalog;
  readonly read: EventRead;
}): VNode {
  const may = useAccessCheck();
  const store = (stored: Definition) => read.set({ event: stored });
  const editor = useEditorState(event, store);
  const [report, setReport] = useState<DryRunReport | null>(null);
  const onReport = (next: DryRunReport) => {
    setReport(next);
    editor.showFaults(next.findings);
  };
  const isArchived = event.state === "archived";
  const isReadOnly = isArchived || !may("PUT /admin/events/{id}");
  return html`${isArchived && html`<p class="notice">${words.events.isArchived}</p>`}
    <div class="cards">
      <${Publication} event=${event} editor=${editor} onEvent=${store} onReport=${onReport} />
      <${EventRuns} event=${event} />
    </div>
    ${report && html`<${ReportView} report=${report} />`}
    <${Form} editor=${editor} catalog=${catalog} isReadOnly=${isReadOnly} />`;
}

function Form(props: {
  readonly editor: Editor;
  readonly catalog: Catalog;
  readonly isReadOnly: boolean;
}): VNode {
  return html`<h2>${words.events.definition}</h2>
    <${EventForm} ...${props} />`;
}
