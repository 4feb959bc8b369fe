import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, type BodyOf, callApi } from "../../api/call.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { Options, optionsOf } from "../../parts/options.ts";
import { Secret } from "../../parts/secret.ts";
import { useAction } from "../../parts/use-action.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { StreamFields, readChosenStreams, UrlField } from "./form.ts";

type Made = AnswerOf<"POST /admin/webhooks">;
type Format = BodyOf<"POST /admin/webhooks">["format"];

/** Creates a webhook, and shows the secret of its signatures once. */
export function NewWebhook(): VNode {
  const [made, setMade] = useState<Made | null>(null);
  return html`<p><a href="/console/webhooks">${words.webhooks.toList}</a></p>
    <h1>${words.pages.newWebhook}</h1>
    ${made ? html`<${MadeNotice} made=${made} />` : html`<${CreateForm} onMade=${setMade} />`}`;
}

function CreateForm({ onMade }: { readonly onMade: (made: Made) => void }): VNode {
  const action = useAction();
  const [isDirty, setDirty] = useState(false);
  useUnsavedWarning(isDirty);
  const onSend = async (values: FormData) => {
    const body = {
      url: readTextField(values, "url").trim(),
      format: readTextField(values, "format") as NonNullable<Format>,
      streams: readChosenStreams(values),
    };
    onMade(await callApi("POST /admin/webhooks", { body }));
  };
  const { problem } = action;
  return html`<div onInput=${() => setDirty(true)}>
    <${Form} action=${action} onSend=${onSend} send=${words.webhooks.create} label=${words.pages.newWebhook}>
      <${UrlField} value="" hint=${words.webhooks.urlHint} problem=${problem} />
      <${Field}
        as="select"
        label=${words.webhooks.format}
        hint=${words.webhooks.formatHint}
        name="format"
        problem=${problem}
      >
        <${Options} options=${optionsOf(words.webhooks.formats)} chosen=${"standard"} />
      <//>
      <${StreamFields} chosen=${[]} problem=${problem} />
    <//>
  </div>`;
}

function MadeNotice({ made: { webhook, secret } }: { readonly made: Made }): VNode {
  return html`${
    secret === null
      ? html`<p class="notice good" role="status">${words.webhooks.made}</p>`
      : html`<${Secret}
          label=${words.webhooks.made}
          value=${secret}
          hint=${words.webhooks.secretHint}
        />`
  }
    <p><a class="button" href=${`/console/webhooks/${webhook.id}`}>${words.webhooks.open}</a></p>`;
}
