import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { changesOf } from "../../parts/changes.ts";
import { Field, Form } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useSaveState } from "../../parts/use-saves.ts";
import { useSession } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { SiteModeForm } from "./site-mode.ts";

type Answer = AnswerOf<"GET /admin/settings">;
type SettingName = keyof Answer["settings"];

/** The mode of the site and its settings. */
export function Settings(): VNode {
  const read = useApiRead("GET /admin/settings", {});
  return html`<h1>${words.pages.settings}</h1>
    <${SiteModeForm} />
    <h2>${words.settings.title}</h2>
    <${ReadStateView} read=${read}>
      ${({ settings }: Answer) => html`<${SettingsForm} settings=${settings} onSaved=${read.set} />`}
    <//>`;
}

/** Sends only the settings that the person changed, so that changes of other administrators stay. */
function SettingsForm({
  settings,
  onSaved,
}: {
  readonly settings: Answer["settings"];
  readonly onSaved: (answer: Answer) => void;
}): VNode {
  const { me } = useSession();
  const action = useAction();
  const saves = useSaveState();
  const names = Object.keys(settings) as SettingName[];
  const onSend = async (values: FormData) => {
    const chosen: Answer["settings"] = { ...settings };
    for (const name of names) chosen[name] = values.get(name) === "on";
    const changes = changesOf(settings, chosen);
    await saves.send(async () => onSaved(await callApi("PUT /admin/settings", { body: changes })));
  };
  return html`${saves.isSaved && html`<p class="notice good" role="status">${words.settings.saved}</p>`}
    <div onInput=${saves.mark}>
      <${Form} action=${action} onSend=${onSend} send=${words.actions.save} label=${words.settings.title}>
        <div class="stack" key=${saves.count}>
          ${names.map(
            (name) =>
              html`<${Field}
            key=${name}
            label=${words.settings.names[name]}
            hint=${words.settings.descriptions[name]}
            name=${name}
            type="checkbox"
            defaultChecked=${settings[name]}
            problem=${action.problem}
          />`,
          )}
        </div>
      ${
        !me.totp_enabled &&
        html`<p class="soft">
        <a href="/console/account">${words.settings.setUpSecondFactor}</a>
      </p>`
      }
      <//>
    </div>`;
}
