import type { VNode } from "preact";

import { type AnswerOf, type BodyOf, callApi } from "../../api/call.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Options, optionsOf } from "../../parts/options.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { useConfirmQuestion } from "../../parts/use-question.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useSaveState } from "../../parts/use-saves.ts";
import { words } from "../../words/words.ts";

type Status = AnswerOf<"GET /public/status">;
type Mode = BodyOf<"PUT /admin/site-mode">["site_mode"];

/** Shows and changes who can use the site. */
export function SiteModeForm(): VNode {
  const read = useApiRead("GET /public/status", {});
  return html`<h2>${words.settings.mode}</h2>
    <${ReadStateView} read=${read}>
      ${(status: Status) => html`<${ModeForm} status=${status} onSaved=${read.reload} />`}
    <//>`;
}

function ModeForm({
  status: { site_mode: present, status_message: message, changed_at: changedAt },
  onSaved,
}: {
  readonly status: Status;
  readonly onSaved: () => Promise<void>;
}): VNode {
  const { modes } = words.settings;
  const action = useAction();
  const { ask, dialog } = useConfirmQuestion();
  const saves = useSaveState();
  const onSend = async (values: FormData) => {
    const mode = readTextField(values, "site_mode") as Mode;
    const { changeMode: confirm, modeQuestions, modeOvertaken } = words.settings;
    // A change of the mode has no revision, so compare the stored mode with the one that the person saw.
    const stored = await callApi("GET /public/status", {});
    const isOvertaken = stored.changed_at !== changedAt;
    const text = html`${isOvertaken && html`<strong>${modeOvertaken(modes[stored.site_mode], stored.status_message)}</strong> `}
    ${modeQuestions[mode]}`;
    const needsConsent = mode !== stored.site_mode || isOvertaken;
    if (needsConsent && !(await ask({ title: confirm, text, confirm }))) return;
    const typed = readTextField(values, "status_message").trim() || null;
    const body = { site_mode: mode, status_message: typed };
    await saves.send(async () => {
      await callApi("PUT /admin/site-mode", { body });
      await onSaved();
    });
  };
  return html`<p>
      ${modes[present]} ${changedAt !== null && html`<span class="soft">${words.settings.since(formatTime(changedAt))}</span>`}
    </p>
    ${saves.isSaved && html`<p class="notice good" role="status">${words.settings.modeSaved}</p>`} ${dialog}
    <div onInput=${saves.mark}>
      <${Form} action=${action} onSend=${onSend} send=${words.settings.changeMode} label=${words.settings.mode}>
        <div class="stack" key=${saves.count}>
          <${Field} as="select" label=${words.settings.mode} name="site_mode" problem=${action.problem}>
            <${Options} options=${optionsOf(modes)} chosen=${present} />
          <//>
          <${Field}
            label=${words.settings.message}
            hint=${words.settings.messageHint}
            name="status_message"
            maxlength="500"
            defaultValue=${message ?? ""}
            problem=${action.problem}
          />
        </div>
      <//>
    </div>`;
}
