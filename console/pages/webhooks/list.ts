import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { webhookStateOf } from "./state.ts";

/** The webhooks of the site, with the state of each. */
export function Webhooks(): VNode {
  const read = useApiRead("GET /admin/webhooks", {});
  return html`<div class="row">
      <h1>${words.pages.webhooks}</h1>
      <a class="button" href="/console/webhooks/new">${words.webhooks.create}</a>
    </div>
    <p class="soft">${words.webhooks.hint}</p>
    <${ReadStateView} read=${read}>
      ${(data: AnswerOf<"GET /admin/webhooks">) => html`<${WebhookTable} data=${data} />`}
    <//>`;
}

function WebhookTable({
  data: { webhooks },
}: {
  readonly data: AnswerOf<"GET /admin/webhooks">;
}): VNode {
  const { url, format, formats, streams, streamNames, state, lastSuccess, none } = words.webhooks;
  const rows = webhooks.map((one) => {
    const { text, isGood } = webhookStateOf(one);
    return {
      key: one.id,
      cells: [
        html`<a href=${`/console/webhooks/${one.id}`}>${one.url}</a>`,
        formats[one.format],
        one.streams.map((stream) => streamNames[stream]).join(", "),
        html`<span class=${isGood ? "good" : "bad"}>${text}</span>`,
        one.last_success_at === null ? words.never : formatTime(one.last_success_at),
      ],
    };
  });
  return html`<${Table}
    label=${words.pages.webhooks}
    heads=${[url, format, streams, state, lastSuccess]}
    rows=${rows}
    none=${none}
  />`;
}
