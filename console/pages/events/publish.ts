import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { Problem } from "../../api/problem.ts";
import { Dialog } from "../../parts/dialog.ts";
import { Form } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { Differences } from "../../parts/versions.ts";
import { words } from "../../words/words.ts";
import { draftOf, draftText } from "./editor/draft.ts";
import { ReportView } from "./report.ts";
import type { Definition, DryRunReport } from "./types.ts";

interface Props {
  readonly event: Definition;
  readonly onEvent: (event: Definition) => void;
  readonly onPublished: (event: Definition) => void;
}

/** Opens the dialog that publishes an event. Only a saved event can be published. */
export function PublishButton({ isDirty, ...props }: Props & { readonly isDirty: boolean }): VNode {
  const [isOpen, setOpen] = useState(false);
  const { events } = words;
  return html`<button
      type="button"
      class="main"
      disabled=${isDirty}
      onClick=${() => setOpen(true)}
    >
      ${events.publish}
    </button>
    ${isOpen && html`<${PublishDialog} ...${props} onClose=${() => setOpen(false)} />`}`;
}

/**
 * Shows a dry run of the stored event and how often it changed since the last version, and publishes it. If
 * somebody saved the event meanwhile, shows these changes first.
 */
function PublishDialog({
  event,
  onEvent,
  onPublished,
  onClose,
}: Props & { readonly onClose: () => void }): VNode {
  const { events } = words;
  const action = useAction();
  // The event as the person has seen it.
  const [seen, setSeen] = useState(event);
  const [stored, setStored] = useState<Definition | null>(null);
  const latest = stored ?? seen;
  const publish = async () => {
    setSeen(latest);
    try {
      const answer = await callApi("POST /admin/events/{id}/publish", {
        path: { id: event.id },
        body: { basedOn: latest.revision },
      });
      onPublished(answer.event);
      onClose();
    } catch (error) {
      const isStale = error instanceof Problem && error.code === "stale_revision";
      if (isStale && error.current) setStored(error.current as Definition);
      throw error;
    }
  };
  const close = () => {
    if (stored) onEvent(stored);
    onClose();
  };
  const since = latest.revision - (latest.currentVersionRevision ?? 0);
  const cancel = html`<button type="button" onClick=${close}>${words.actions.cancel}</button>`;
  return html`<${Dialog} title=${events.publish} onClose=${close}>
    <p>${events.publishQuestion((latest.currentVersion ?? 0) + 1)}</p>
    <p>${latest.currentVersion === null ? events.firstVersion : events.savedSince(since)}</p>
    ${stored && stored !== seen && html`<${Meanwhile} before=${seen} after=${stored} />`}
    <${DryRun} event=${latest} />
    <${Form} action=${action} onSend=${publish} send=${events.publish} label=${events.publish} more=${cancel} />
  <//>`;
}

/** The dry run of the event as it is stored. */
function DryRun({ event }: { readonly event: Definition }): VNode {
  const read = useApiRead("POST /admin/events/{id}/verify", {
    path: { id: event.id },
    body: { target: "draft", basedOn: event.revision },
  });
  return html`<${ReadStateView} read=${read}>
    ${({ report }: { readonly report: DryRunReport }) =>
      html`<${ReportView} report=${report} />
        <ul>
          ${report.findings.map(
            ({ message, path }) => html`<li key=${path + message}>${message}</li>`,
          )}
        </ul>`}
  <//>`;
}

/** The lines that somebody else changed since the person read the event. */
function Meanwhile({
  before,
  after,
}: {
  readonly before: Definition;
  readonly after: Definition;
}): VNode {
  const { events } = words;
  return html`<div class="notice" role="status">
    <p>${events.changedMeanwhile}</p>
    <${Differences}
      before=${draftText(draftOf(before))}
      after=${draftText(draftOf(after))}
      heads=${[events.asRead, words.versions.theirs]}
    />
  </div>`;
}
