import type { VNode } from "preact";

import { callApi } from "../../api/call.ts";
import { Problem } from "../../api/problem.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import type { Editor } from "./editor/editor.ts";
import { PublishButton } from "./publish.ts";
import type { Definition, DryRunReport } from "./types.ts";

interface Props {
  readonly event: Definition;
  readonly editor: Editor;
  readonly onEvent: (event: Definition) => void;
  readonly onReport: (report: DryRunReport) => void;
}

/** Which version of an event is published, and the buttons to verify, publish and archive it. */
export function Publication(props: Props): VNode {
  const { event } = props;
  const { events } = words;
  return html`<section class="card">
    <h2>${events.publication}</h2>
    <dl>
      <dt>${events.state}</dt>
      <dd>${events.states[event.state]}</dd>
      <dt>${events.published}</dt>
      <dd>
        ${event.currentVersion === null ? events.neverPublished : events.version(event.currentVersion)}
      </dd>
      ${event.currentVersion !== null && html`<${Verified} event=${event} />`}
    </dl>
    <${SinceVersion} key=${event.currentVersionId} event=${event} />
    ${event.state !== "archived" && html`<${Buttons} ...${props} />`}
  </section>`;
}

function Verified({ event }: { readonly event: Definition }): VNode {
  const { events } = words;
  const at = event.currentVersionVerifiedAt;
  return html`<dt>${events.verified}</dt>
    <dd class=${at === null ? "warn" : ""}>
      ${at === null ? events.notVerifiedYet : formatTime(at)}
    </dd>`;
}

/** Says how often the event was saved since its version was published, and who published it. */
function SinceVersion({ event }: { readonly event: Definition }): VNode | null {
  const read = useApiRead("GET /admin/events/{id}/versions", { path: { id: event.id } });
  const version = read.data?.versions.find(
    ({ version: number }) => number === event.currentVersion,
  );
  if (event.currentVersionRevision === null) return null;
  const saves = event.revision - event.currentVersionRevision;
  const who = version?.publishedByUsername ?? null;
  return html`${
    version &&
    html`<p class="soft">
    ${words.events.publishedBy(who ?? words.none, formatTime(version.publishedAt))}
  </p>`
  }
    <p>${words.events.savedSince(saves)}</p>`;
}

/** Runs dry runs. If the event changed meanwhile, the page shows the stored event. */
function useVerify({ event, onEvent, onReport }: Omit<Props, "editor">) {
  const action = useAction();
  const verify = (target: "published" | "draft", of = event) =>
    action.run(async () => {
      const basedOn = target === "draft" ? of.revision : of.currentVersionRevision;
      const path = { id: of.id };
      const body = { target, ...(basedOn !== null && { basedOn }) };
      try {
        const answer = await callApi("POST /admin/events/{id}/verify", { path, body });
        onReport(answer.report);
        if (answer.recorded) onEvent((await callApi("GET /admin/events/{id}", { path })).event);
      } catch (error) {
        if (error instanceof Problem && error.current) onEvent(error.current as Definition);
        throw error;
      }
    });
  return { verify, problem: action.problem };
}

function Buttons({ editor, ...props }: Props): VNode {
  const { event, onEvent } = props;
  const may = useAccessCheck();
  const { events } = words;
  const { verify, problem } = useVerify(props);
  /** Verifies each new version, because scheduled runs of an unverified version do not start. */
  const onPublished = (published: Definition) => {
    onEvent(published);
    void verify("published", published);
  };
  return html`<${ProblemView} problem=${problem} />
    ${editor.isDirty && html`<p class="soft">${events.saveFirst}</p>`}
    <div class="buttons">
      <button type="button" disabled=${editor.isDirty} onClick=${() => void verify("draft")}>
        ${events.verifyDraft}
      </button>
      ${
        event.currentVersion !== null &&
        html`<button type="button" onClick=${() => void verify("published")}>
        ${events.verifyVersion(event.currentVersion)}
      </button>`
      }
      ${
        may("POST /admin/events/{id}/publish") &&
        html`<${PublishButton}
        event=${event}
        isDirty=${editor.isDirty}
        onEvent=${onEvent}
        onPublished=${onPublished}
      />`
      }
      ${
        may("DELETE /admin/events/{id}") &&
        html`<${ArchiveButton} event=${event} onEvent=${onEvent} />`
      }
    </div>`;
}

function ArchiveButton({ event, onEvent }: Pick<Props, "event" | "onEvent">): VNode {
  const { events } = words;
  const archive = async () => {
    const path = { id: event.id };
    const body = { basedOn: event.revision };
    onEvent((await callApi("DELETE /admin/events/{id}", { path, body })).event);
  };
  return html`<${ConfirmButton}
    danger
    text=${events.archive}
    title=${events.archive}
    question=${events.archiveQuestion}
    confirm=${events.archive}
    onConfirm=${archive}
  />`;
}
