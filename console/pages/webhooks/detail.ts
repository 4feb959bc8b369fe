import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { changesOf } from "../../parts/changes.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView, ProblemView } from "../../parts/problem-view.ts";
import { Secret } from "../../parts/secret.ts";
import { useAction } from "../../parts/use-action.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useSaveState } from "../../parts/use-saves.ts";
import type { PageProps } from "../../shell/frame.ts";
import { useNavigate } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { Deliveries } from "./deliveries.ts";
import { StreamFields, readChosenStreams, UrlField } from "./form.ts";
import { webhookStateOf, type Webhook } from "./state.ts";

/** One webhook: its state, changes, a test and the log of its deliveries. */
export function WebhookDetail({ params }: PageProps): VNode {
  const read = useApiRead("GET /admin/webhooks", {});
  const found = read.data?.webhooks.find(({ id }) => String(id) === params["id"]);
  // A webhook that somebody deletes stays on the page, so that typed texts can be copied.
  const last = useRef(found);
  last.current = found ?? last.current;
  const shown = last.current;
  return html`<p><a href="/console/webhooks">${words.webhooks.toList}</a></p>
    <h1>${shown?.url ?? words.pages.webhook}</h1>
    <${ReadStateView} read=${read}>
      ${() =>
        html`${!found && html`<p role="status">${words.webhooks.unknown}</p>`}
          ${shown && html`<${WebhookView} webhook=${shown} reload=${read.reload} />`}`}
    <//>`;
}

interface ViewProps {
  readonly webhook: Webhook;
  readonly reload: () => Promise<void>;
}

function WebhookView({ webhook, reload }: ViewProps): VNode {
  /** A new value reads the log again, for example after a test. */
  const [sent, setSent] = useState(0);
  const onSent = async () => {
    setSent((count) => count + 1);
    await reload();
  };
  return html`<${State} webhook=${webhook} />
    <${TestButton} id=${webhook.id} onSent=${onSent} />
    <h2>${words.webhooks.change}</h2>
    <${ChangeForm} webhook=${webhook} reload=${reload} />
    ${webhook.format === "standard" && html`<${RotateSecret} webhook=${webhook} reload=${reload} />`}
    <${Deliveries} key=${sent} webhook=${webhook} />
    <h2>${words.content.deletion}</h2>
    <${DeleteWebhook} webhook=${webhook} />`;
}

function State({ webhook }: { readonly webhook: Webhook }): VNode {
  const { text, isGood } = webhookStateOf(webhook);
  const { last_error: fault, failing_since: since, last_success_at: success } = webhook;
  return html`<dl>
    <dt>${words.webhooks.state}</dt>
    <dd class=${isGood ? "good" : "bad"}>${text}</dd>
    <dt>${words.webhooks.format}</dt>
    <dd>${words.webhooks.formats[webhook.format]}</dd>
    <dt>${words.webhooks.lastSuccess}</dt>
    <dd>${success === null ? words.never : formatTime(success)}</dd>
    ${
      fault !== null &&
      html`<dt>${words.webhooks.lastFault}</dt>
    <dd class="bad">${words.webhooks.faults[fault]}</dd>`
    }
    ${
      since !== null &&
      html`<dt>${words.webhooks.failingSince}</dt>
    <dd>${formatTime(since)}</dd>`
    }
  </dl>`;
}

function TestButton({
  id,
  onSent,
}: {
  readonly id: number;
  readonly onSent: () => Promise<void>;
}): VNode {
  const action = useAction();
  const [result, setResult] = useState<AnswerOf<"POST /admin/webhooks/{id}/test"> | null>(null);
  const test = () =>
    action.run(async () => {
      setResult(null);
      setResult(await callApi("POST /admin/webhooks/{id}/test", { path: { id } }));
      await onSent();
    });
  const { delivered, notDelivered } = words.webhooks;
  return html`<${ProblemView} problem=${action.problem} />
    <button type="button" aria-disabled=${action.isRunning} onClick=${() => void test()}>
      ${action.isRunning ? words.actions.working : words.webhooks.test}
    </button>
    ${
      result &&
      html`<p class=${`notice ${result.delivered ? "good" : "bad"}`} role="status">
      <span>${result.delivered ? delivered(result.status) : notDelivered(result.status)}</span>
    </p>`
    }`;
}

/** Sends only the fields that the person changed. The service returns the address without its secret parts. */
function ChangeForm({ webhook, reload }: ViewProps): VNode {
  const action = useAction();
  const saves = useSaveState();
  const { id, url, enabled, streams } = webhook;
  const onSend = async (values: FormData) => {
    const typed = {
      url: readTextField(values, "url").trim(),
      enabled: values.get("enabled") === "on",
      streams: readChosenStreams(values),
    };
    const before = { url, enabled, streams: inOrder(streams) };
    const body = changesOf(before, typed);
    await saves.send(async () => {
      await callApi("PUT /admin/webhooks/{id}", { path: { id }, body });
      await reload();
    });
  };
  return html`${saves.isSaved && html`<p class="notice good" role="status">${words.webhooks.saved}</p>`}
    <div onInput=${saves.mark}>
      <${Form} action=${action} onSend=${onSend} send=${words.actions.save} label=${words.webhooks.change}>
        <div class="stack" key=${saves.count}>
          <${UrlField} value=${url} hint=${words.webhooks.keepUrlHint} problem=${action.problem} />
          <${Field}
            label=${words.webhooks.enabled}
            hint=${words.webhooks.enabledHint}
            name="enabled"
            type="checkbox"
            defaultChecked=${enabled}
            problem=${action.problem}
          />
          <${StreamFields} chosen=${streams} problem=${action.problem} />
        </div>
      <//>
    </div>`;
}

/** Returns streams in the order of the form, so that an unchanged choice is recognized. */
const inOrder = (streams: Webhook["streams"]): Webhook["streams"] =>
  (Object.keys(words.webhooks.streamNames) as Webhook["streams"]).filter((one) =>
    streams.includes(one),
  );

function RotateSecret({ webhook: { id }, reload }: ViewProps): VNode {
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = async () => {
    const body = { rotateSecret: true };
    const answer = await callApi("PUT /admin/webhooks/{id}", { path: { id }, body });
    setSecret(answer.secret ?? null);
    await reload();
  };
  return html`<h2>${words.webhooks.secret}</h2>
    ${
      secret !== null &&
      html`<${Secret}
      key=${secret}
      label=${words.webhooks.newSecret}
      value=${secret}
      hint=${words.webhooks.secretHint}
    />`
    }
    <${ConfirmButton}
      text=${words.webhooks.rotate}
      title=${words.webhooks.rotate}
      question=${words.webhooks.rotateQuestion}
      confirm=${words.webhooks.rotate}
      onConfirm=${rotate}
    />`;
}

function DeleteWebhook({ webhook: { id, url } }: { readonly webhook: Webhook }): VNode {
  const open = useNavigate();
  const remove = async () => {
    await callApi("DELETE /admin/webhooks/{id}", { path: { id } });
    open("/console/webhooks", { replace: true });
  };
  return html`<${ConfirmButton}
    danger
    text=${words.webhooks.remove}
    title=${words.webhooks.remove}
    question=${words.webhooks.removeQuestion(url)}
    confirm=${words.webhooks.remove}
    onConfirm=${remove}
  />`;
}
