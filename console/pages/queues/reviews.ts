import type { VNode } from "preact";

import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatAgo } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Section } from "../../parts/section.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { approveAtlas, approveLosses, rejectAtlas } from "../imports/requests.ts";
import type { QueueStates } from "./use-queues.ts";

type Review = QueueStates["reviews"][number];
type Refresh = () => Promise<void>;

/** Imports that would remove data and wait for approval. Only the atlas can be rejected. */
export function Reviews({
  reviews,
  refresh,
}: {
  readonly reviews: readonly Review[];
  readonly refresh: Refresh;
}): VNode {
  return html`<${Section} title=${words.queues.waitingForApproval}>
    <div class="stack">
      ${reviews.map(
        (review) => html`<${ReviewCard} key=${review.jobId} review=${review} refresh=${refresh} />`,
      )}
    </div>
    <p><a href="/console/imports">${words.queues.openImports}</a></p>
  <//>`;
}

interface Props {
  readonly review: Review;
  readonly refresh: Refresh;
}

function ReviewCard({ review, refresh }: Props): VNode {
  const { kind, queue, reason, finishedAt } = review;
  const { wouldRemove, when, approve, approveOf, approveQuestion } = words.queues;
  const onApprove = async () => {
    if (kind === "clilocs" || kind === "assets") await approveLosses(kind, review.jobId);
    await refresh();
  };
  return html`<article class="card">
    <div class="row">
      <h3>${queue}</h3>
      ${kind === "atlas" && html`<${AtlasButtons} refresh=${refresh} />`}
      ${
        (kind === "clilocs" || kind === "assets") &&
        html`<${ConfirmButton}
        text=${approve}
        label=${approveOf(kind)}
        title=${approveOf(kind)}
        question=${approveQuestion}
        confirm=${approve}
        onConfirm=${onApprove}
        danger
      ><p>${reason ?? wouldRemove}</p><//>`
      }
    </div>
    <p>${reason ?? wouldRemove}</p>
    <p class="soft">${when.asked(formatAgo(finishedAt))}</p>
  </article>`;
}

/**
 * Approves or rejects the import of the atlas that the page shows. The service refuses the decision if another
 * import has replaced it.
 */
function AtlasButtons({ refresh }: Pick<Props, "refresh">): VNode | null {
  const { data } = useApiRead("GET /admin/shard/atlas", {});
  const { approve, reject, approveOf, rejectOf } = words.queues;
  const { approveFacets, rejectQuestion } = words.imports.review;
  const pending = data?.pending;
  if (!pending) return null;
  const decide = async (work: typeof approveAtlas) => {
    await work(pending.revision);
    await refresh();
  };
  return html`<span class="buttons">
    <${ConfirmButton}
      text=${approve}
      label=${approveOf("atlas")}
      title=${approveOf("atlas")}
      question=${approveFacets(pending.removedFacets.join(", "))}
      confirm=${approve}
      onConfirm=${() => decide(approveAtlas)}
      danger
    />
    <${ConfirmButton}
      text=${reject}
      label=${rejectOf("atlas")}
      title=${rejectOf("atlas")}
      question=${rejectQuestion}
      confirm=${reject}
      onConfirm=${() => decide(rejectAtlas)}
    />
  </span>`;
}
