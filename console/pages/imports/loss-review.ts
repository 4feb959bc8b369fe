import type { VNode } from "preact";

import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatAgo } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import type { RunRequest } from "./import-section.ts";
import { approveLosses } from "./requests.ts";
import type { ImportReview } from "./use-import-jobs.ts";

/** An import of clilocs or assets that would remove data. It cannot be rejected: without approval, nothing changes. */
export function LossReview({
  kind,
  review,
  run,
}: {
  readonly kind: "clilocs" | "assets";
  readonly review: ImportReview | undefined;
  readonly run: RunRequest;
}): VNode | null {
  const job = useApiRead("GET /admin/jobs/{id}", review ? { path: { id: review.jobId } } : null);
  if (!review) return null;
  const text = words.imports.review;
  const { names, count } = readLosses(job.data?.job.output ?? null);
  const approveOf = text.approveOf(words.imports.names[kind]);
  return html`<div class="notice bad" data-review=${kind}>
    <h3>${text.title}</h3>
    <p>${review.reason ?? text.wouldRemove}</p>
    ${names.length > 0 && html`<p>${text.losses[kind](count)}</p>`}
    <ul class="code">
      ${names.map((name) => html`<li key=${name}>${name}</li>`)}
    </ul>
    ${count > names.length && html`<p>${text.more(count - names.length)}</p>`}
    <p class="soft">${text.asked(formatAgo(review.finishedAt))} ${text.cannotReject}</p>
    <${ConfirmButton}
      text=${text.approve}
      label=${approveOf}
      title=${approveOf}
      question=${text.approveLosses[kind](count)}
      confirm=${text.approve}
      onConfirm=${() => run(() => approveLosses(kind, review.jobId))}
      danger
    />
  </div>`;
}

/** Reads from the result of an import what it would remove. The service lists at most 50 pictures. */
function readLosses(output: Readonly<Record<string, unknown>> | null): {
  readonly names: readonly string[];
  readonly count: number;
} {
  const list = output?.["vanished"] ?? output?.["missingSources"];
  const names = Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
  const count = output?.["vanishedCount"];
  return { names, count: typeof count === "number" ? count : names.length };
}
