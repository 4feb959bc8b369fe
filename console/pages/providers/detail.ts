import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { changesOf } from "../../parts/changes.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView, ProblemView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useSaveState } from "../../parts/use-saves.ts";
import type { PageProps } from "../../shell/frame.ts";
import { useNavigate, useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { pageUrlOf } from "../content/address.ts";
import {
  type ProviderConfig,
  ProviderFields,
  readForm,
  readClientSecret,
  toValues,
} from "./form.ts";

const list = "/console/providers";
const backToList = () => html`<p><a href=${list}>${words.providers.toList}</a></p>`;

/** Adds an OpenID Connect provider. */
export function NewProvider(): VNode {
  const action = useAction();
  const [isDirty, setDirty] = useState(false);
  const open = useNavigate();
  useUnsavedWarning(isDirty);
  const create = async (values: FormData) => {
    const id = readTextField(values, "id").trim();
    const clientSecret = readClientSecret(values);
    const body = { id, ...readForm(values, toValues(null)), ...(clientSecret && { clientSecret }) };
    await callApi("POST /admin/auth/providers", { body });
    open(pageUrlOf(list, id), { replace: true });
  };
  return html`${backToList()}
    <h1>${words.pages.newProvider}</h1>
    <p>${words.providers.register(`${location.origin}/api/v1/auth/sso/{id}/callback`)}</p>
    <div class="wide" onInput=${() => setDirty(true)}>
      <${Form} action=${action} onSend=${create} send=${words.providers.create} label=${words.pages.newProvider}>
        <${Field}
          label=${words.providers.id}
          hint=${words.providers.idHint}
          name="id"
          maxlength="64"
          autocapitalize="none"
          spellcheck=${false}
          required
          problem=${action.problem}
        />
        <${ProviderFields} provider=${null} problem=${action.problem} />
      <//>
    </div>`;
}

/** Shows whether people can sign in at a provider, and changes or deletes the provider. */
export function ProviderDetail({ params }: PageProps): VNode {
  const read = useApiRead("GET /admin/auth/providers", {});
  const found = read.data?.find(({ id }) => id === params["id"]);
  // A provider that somebody deletes stays on the page, so that typed texts can be copied.
  const last = useRef(found);
  last.current = found ?? last.current;
  const shown = last.current;
  const onSaved = (saved: ProviderConfig) =>
    read.set((read.data ?? []).map((one) => (one.id === saved.id ? saved : one)));
  return html`${backToList()}
    <h1>${shown?.name ?? words.pages.provider}</h1>
    <${ReadStateView} read=${read}>
      ${() =>
        html`${!found && html`<p role="status">${words.providers.unknown}</p>`}
          ${
            shown &&
            html`<${Health} provider=${shown} onChecked=${onSaved} />
            <h2>${words.providers.change}</h2>
            <${ChangeForm} provider=${shown} onSaved=${onSaved} />
            ${!shown.builtin && html`<${DeleteProvider} provider=${shown} />`}`
          }`}
    <//>`;
}

/** The last check of the provider. A request that changes nothing checks the provider again. */
function Health({
  provider: { id, health, callbackUrl },
  onChecked,
}: {
  readonly provider: ProviderConfig;
  readonly onChecked: (provider: ProviderConfig) => void;
}): VNode {
  const action = useAction();
  const check = () =>
    action.run(async () =>
      onChecked(await callApi("PUT /admin/auth/providers/{id}", { path: { id }, body: {} })),
    );
  const { name, advice } = words.providers.states[health.status];
  const isGood = health.status === "ok";
  return html`<section
    class=${`notice ${isGood ? "good" : "bad"}`}
    aria-label=${words.providers.health}
    aria-live="polite"
  >
    <p><strong>${name}</strong></p>
    <p>${advice}</p>
    ${health.detail !== null && html`<p><code>${health.detail}</code></p>`}
    <dl>
      <dt>${words.providers.callback}</dt>
      <dd><code>${callbackUrl}</code></dd>
      <dt>${words.providers.checked}</dt>
      <dd>${health.checkedAt === null ? words.never : formatTime(health.checkedAt)}</dd>
    </dl>
    <${ProblemView} problem=${action.problem} />
    <button type="button" aria-disabled=${action.isRunning} onClick=${() => void check()}>
      ${action.isRunning ? words.actions.working : words.providers.check}
    </button>
  </section>`;
}

/** Sends only the fields that the person changed, so that changes of other administrators stay. */
function ChangeForm({
  provider,
  onSaved,
}: {
  readonly provider: ProviderConfig;
  readonly onSaved: (provider: ProviderConfig) => void;
}): VNode {
  const action = useAction();
  const saves = useSaveState();
  const onSend = async (values: FormData) => {
    const before = toValues(provider);
    const clientSecret = readClientSecret(values);
    const changes = changesOf(before, readForm(values, before));
    const body = { ...changes, ...(clientSecret !== undefined && { clientSecret }) };
    const path = { id: provider.id };
    await saves.send(async () =>
      onSaved(await callApi("PUT /admin/auth/providers/{id}", { path, body })),
    );
  };
  return html`${saves.isSaved && html`<p class="notice good" role="status">${words.providers.saved}</p>`}
    <div class="wide" onInput=${saves.mark}>
      <${Form} action=${action} onSend=${onSend} send=${words.actions.save} label=${words.providers.change}>
        <${ProviderFields} key=${saves.count} provider=${provider} problem=${action.problem} />
      <//>
    </div>`;
}

function DeleteProvider({ provider: { id, name } }: { readonly provider: ProviderConfig }): VNode {
  const open = useNavigate();
  const remove = async () => {
    await callApi("DELETE /admin/auth/providers/{id}", { path: { id } });
    open(list, { replace: true });
  };
  return html`<h2>${words.content.deletion}</h2>
    <${ConfirmButton}
      danger
      text=${words.providers.remove}
      title=${words.providers.remove}
      question=${words.providers.removeQuestion(name)}
      confirm=${words.providers.remove}
      onConfirm=${remove}
    />`;
}
