import type { VNode } from "preact";

import { Form } from "../../../parts/form.ts";
import { html } from "../../../parts/html.ts";
import { VersionConflict } from "../../../parts/versions.ts";
import { useViewName, ViewSwitch } from "../../../parts/view-switch.ts";
import { words } from "../../../words/words.ts";
import { useScopes } from "../scope.ts";
import type { Catalog } from "../types.ts";
import { AnnouncementFields, ScopeAndSeriesFields } from "./basics.ts";
import { draftOf, draftText } from "./draft.ts";
import { type Editor, EditorContext } from "./editor.ts";
import { FaultList } from "./fault-list.ts";
import { JsonView } from "./json-view.ts";
import { Phases } from "./phases.ts";
import { RunParams } from "./run-params.ts";
import { Schedule } from "./schedule.ts";

/** The form of an event, made from the catalog, and the same event as JSON. */
export function EventForm({
  editor,
  catalog,
  isReadOnly,
}: {
  readonly editor: Editor;
  readonly catalog: Catalog;
  readonly isReadOnly: boolean;
}): VNode {
  const { events } = words;
  const { conflict } = editor;
  const scopes = useScopes();
  const views = [
    { name: "", text: events.form },
    { name: "json", text: events.json },
  ];
  return html`<${EditorContext.Provider} value=${{ editor, catalog, scopes }}>
    <${ViewSwitch} label=${events.views} views=${views} mayLeave=${editor.textFault === ""} />
    ${
      conflict &&
      html`<${VersionConflict}
      mine=${draftText(conflict.mine)}
      stored=${draftText(draftOf(conflict.stored))}
      onKeepMine=${() => editor.settle("mine")}
      onTakeStored=${() => editor.settle("stored")}
    />`
    }
    <${FaultList} />
    <${Content} editor=${editor} isReadOnly=${isReadOnly} />
  <//>`;
}

function Content({
  editor,
  isReadOnly,
}: {
  readonly editor: Editor;
  readonly isReadOnly: boolean;
}): VNode {
  const { events } = words;
  const view = useViewName();
  const fields = view === "json" ? html`<${JsonView} />` : html`<${Sections} />`;
  const key = `${view}-${editor.generation}`;
  if (isReadOnly) return html`<fieldset class="place" disabled key=${key}>${fields}</fieldset>`;
  const onSend = async () => {
    if (editor.textFault === "") await editor.save();
  };
  return html`<${Form}
    action=${editor.action}
    onSend=${onSend}
    send=${words.actions.save}
    label=${events.form}
    more=${html`<span class="soft" role="status">${stateText(editor)}</span>`}
  >
    <div class="stack" key=${key}>${fields}</div>
  <//>`;
}

function stateText({ isDirty, isSaved }: Editor): string {
  if (isDirty) return words.events.unsaved;
  return isSaved ? words.edit.saved : "";
}

const Sections = (): VNode => html`<${AnnouncementFields} />
  <${ScopeAndSeriesFields} />
  <${Schedule} />
  <${RunParams} />
  <${Phases} />`;
