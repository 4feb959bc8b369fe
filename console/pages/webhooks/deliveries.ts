import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { readOffset, Pager } from "../../parts/pager.ts";
import { ReadStateView, ProblemView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useAction } from "../../parts/use-action.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useLocation } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import type { Webhook } from "./state.ts";

const limit = 25;
/** The log is read again after this time, because waiting deliveries become delivered. */
const everyMs = 10_000;

type DeliveryPage = AnswerOf<"GET /admin/webhooks/{id}/deliveries">;
type Delivery = DeliveryPage["deliveries"][number];

/** The log of a webhook's deliveries, the newest first, each of which can be sent again. */
export function Deliveries({ webhook: { id, enabled } }: { readonly webhook: Webhook }): VNode {
  const { query } = useLocation();
  const sent = { path: { id }, query: { limit, offset: readOffset(query) } };
  const read = useApiRead("GET /admin/webhooks/{id}/deliveries", sent, everyMs);
  const resendFailed = async () => {
    await callApi("POST /admin/webhooks/{id}/redeliver-failed", { path: { id } });
    await read.reload();
  };
  return html`<div class="row">
      <h2>${words.webhooks.deliveries}</h2>
      ${
        enabled &&
        html`<${ConfirmButton}
        text=${words.webhooks.resendFailed}
        title=${words.webhooks.resendFailed}
        question=${words.webhooks.resendQuestion}
        confirm=${words.webhooks.resendFailed}
        onConfirm=${resendFailed}
      />`
      }
    </div>
    <p class="soft">${words.webhooks.deliveriesHint}</p>
    <${ReadStateView} read=${read}>
      ${(page: DeliveryPage) =>
        html`<${DeliveryTable} page=${page} webhookId=${id} canResend=${enabled} reload=${read.reload} />
          <${Pager} ...${page} />`}
    <//>`;
}

function DeliveryTable({
  page: { deliveries },
  webhookId,
  canResend,
  reload,
}: {
  readonly page: DeliveryPage;
  readonly webhookId: number;
  readonly canResend: boolean;
  readonly reload: () => Promise<void>;
}): VNode {
  const { time, event, state, attempts, answer, none, actions } = words.webhooks.log;
  const rows = deliveries.map((one) => ({
    key: one.id,
    cells: [
      formatTime(one.created_at),
      html`<code>${one.event}</code>`,
      html`<${DeliveryState} delivery=${one} />`,
      one.attempts,
      html`<${ReceiverAnswer} delivery=${one} />`,
      canResend &&
        html`<${ResendButton} webhookId=${webhookId} delivery=${one} reload=${reload} />`,
    ],
  }));
  return html`<${Table}
    label=${words.webhooks.deliveries}
    heads=${[time, event, state, { text: attempts, isNumber: true }, answer, actions]}
    rows=${rows}
    none=${none}
  />`;
}

const classes = { waiting: "warn", trying: "warn", delivered: "good", failed: "bad" } as const;

function DeliveryState({
  delivery: { status, next_at: next, delivered_at: deliveredAt },
}: {
  readonly delivery: Delivery;
}): VNode {
  return html`<span class=${classes[status]}>${words.webhooks.log.states[status]}</span>
    ${deliveredAt !== null && html`<br />${formatTime(deliveredAt)}`}
    ${next !== null && html`<br />${words.webhooks.log.next(formatTime(next))}`}`;
}

function ReceiverAnswer({
  delivery: { code, error, answer },
}: {
  readonly delivery: Delivery;
}): VNode {
  return html`${code} ${error !== null && words.webhooks.faults[error]}
    ${answer !== null && html`<br /><code>${answer}</code>`}`;
}

function ResendButton({
  webhookId,
  delivery: { id: deliveryId, message_id: messageId },
  reload,
}: {
  readonly webhookId: number;
  readonly delivery: Delivery;
  readonly reload: () => Promise<void>;
}): VNode {
  const action = useAction();
  const resend = () =>
    action.run(async () => {
      const path = { id: webhookId, deliveryId };
      await callApi("POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver", { path });
      await reload();
    });
  return html`<button
      type="button"
      title=${messageId}
      aria-disabled=${action.isRunning}
      onClick=${() => void resend()}
    >
      ${action.isRunning ? words.actions.working : words.webhooks.log.resend}
    </button>
    <${ProblemView} problem=${action.problem} />`;
}
