import type { VNode } from "preact";

import { formatAgo } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Section } from "../../parts/section.ts";
import { words } from "../../words/words.ts";
import { approveImport, canApprove, rejectAtlas } from "../imports/requests.ts";
import { ActButton } from "./act-button.ts";
import type { Act, QueueStates } from "./use-queues.ts";

type Review = QueueStates["reviews"][number];

/** Imports that would remove data and wait for approval. Only the atlas can be rejected. */
export function Reviews({
  reviews,
  act,
}: {
  readonly reviews: readonly Review[];
  readonly act: Act;
}): VNode {
  return html`<${Section} title=${words.queues.waitingForApproval}>
    <div class="stack">
      ${reviews.map((review) => html`<${ReviewCard} key=${review.jobId} review=${review} act=${act} />`)}
    </div>
    <p><a href="/console/imports">${words.queues.openImports}</a></p>
  <//>`;
}

function ReviewCard({ review, act }: { readonly review: Review; readonly act: Act }): VNode {
  const { kind, queue, reason, finishedAt } = review;
  const { approve, reject, approveOf, rejectOf, wouldRemove, when } = words.queues;
  return html`<article class="card">
    <div class="row">
      <h3>${queue}</h3>
      <span class="buttons">
        ${
          canApprove(kind) &&
          html`<${ActButton}
            text=${approve}
            label=${approveOf(kind)}
            work=${() => approveImport(kind)}
            act=${act}
          />`
        }
        ${
          kind === "atlas" &&
          html`<${ActButton} text=${reject} label=${rejectOf(kind)} work=${() => rejectAtlas()} act=${act} />`
        }
      </span>
    </div>
    <p>${reason ?? wouldRemove}</p>
    <p class="soft">${when.asked(formatAgo(finishedAt))}</p>
  </article>`;
}
