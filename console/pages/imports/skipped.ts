import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";

export type AtlasStatus = AnswerOf<"GET /admin/shard/atlas">;
type Counts = NonNullable<AtlasStatus["counts"]>;

/** The records that an import left out, by reason, with the first examples. */
export function SkippedRecords({ counts }: { readonly counts: Counts }): VNode {
  const reasons = Object.entries(counts.skippedBy ?? {});
  const examples = counts.skippedExamples?.outsideMap ?? [];
  if (reasons.length === 0) return html`<span>${formatNumber(counts.skipped)}</span>`;
  return html`<ul>
      ${reasons.map(
        ([reason, count]) =>
          html`<li key=${reason}>
            ${words.imports.skipped[reason as "noFacet"] ?? reason}: ${formatNumber(count)}
          </li>`,
      )}
    </ul>
    ${examples.map((example) => html`<p key=${example} class="soft">${example}</p>`)}`;
}
