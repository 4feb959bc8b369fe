import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { navigate } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { useEditorState } from "./editor/editor.ts";
import { EventForm } from "./editor/event-form.ts";
import { EventLinks } from "./links.ts";
import type { Catalog } from "./types.ts";

/** The form of a new event. */
export function NewEvent(): VNode {
  const catalog = useApiRead("GET /admin/events/catalog", {});
  return html`<h1>${words.pages.eventNew}</h1>
    <${EventLinks} />
    <${ReadStateView} read=${catalog}>
      ${(data: Catalog) => html`<${Opened} catalog=${data} />`}
    <//>`;
}

function Opened({ catalog }: { readonly catalog: Catalog }): VNode {
  const [id, setId] = useState<number | null>(null);
  const editor = useEditorState(null, (event) => setId(event.id));
  useEffect(() => {
    // Open the page of the stored event, unless text was typed during the request: that text must be saved here
    // first.
    if (id !== null && !editor.isDirty) navigate(`/console/events/${id}`, { replace: true });
  }, [id, editor.isDirty]);
  return html`<${EventForm} editor=${editor} catalog=${catalog} isReadOnly=${false} />`;
}
