import type { VNode } from "preact";
import { useRef } from "preact/hooks";

import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatAgo, formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Table } from "../../parts/table.ts";
import { words } from "../../words/words.ts";
import type { RunRequest } from "./import-section.ts";
import { approveAtlas, rejectAtlas } from "./requests.ts";
import { type AtlasStatus, SkippedRecords } from "./skipped.ts";

type Pending = NonNullable<AtlasStatus["pending"]>;

interface Props {
  readonly status: AtlasStatus;
  readonly pending: Pending;
  readonly run: RunRequest;
}

/**
 * The import of the atlas that waits for review. If another import replaces it, an open dialog is closed and
 * the page says so: nobody must approve an import that they have not read.
 */
export function AtlasReview({ status, pending, run }: Props): VNode {
  const first = useRef(pending.revision);
  const { review } = words.imports;
  if (pending.status === "rejected") return html`<p class="notice">${review.rejected}</p>`;
  const hasChanged = first.current !== pending.revision;
  return html`${hasChanged && html`<p class="notice" role="status">${review.changed}</p>`}
    <${ReviewBox} key=${pending.revision} status=${status} pending=${pending} run=${run} />`;
}

/** Lists the data that the import would remove, with buttons to approve or reject the import. */
function ReviewBox({ status, pending, run }: Props): VNode {
  const { review } = words.imports;
  const facets = pending.removedFacets.join(", ");
  return html`<div class="notice bad" data-review="atlas">
    <h3>${review.title}</h3>
    <p>${review.removedFacets(facets)}</p>
    ${pending.addedFacets.length > 0 && html`<p>${review.addedFacets(pending.addedFacets.join(", "))}</p>`}
    <p class="soft">${review.asked(formatAgo(pending.stagedAt))}</p>
    <${FacetTable} status=${status} pending=${pending} />
    ${pending.counts && pending.counts.skipped > 0 && html`<${SkippedRecords} counts=${pending.counts} />`}
    <div class="buttons">
      <${ConfirmButton}
        text=${review.approve}
        label=${review.approveOf(words.imports.names.atlas)}
        title=${review.approveOf(words.imports.names.atlas)}
        question=${review.approveFacets(facets)}
        confirm=${review.approve}
        onConfirm=${() => run(() => approveAtlas(pending.revision))}
        danger
      />
      <${ConfirmButton}
        text=${review.reject}
        label=${review.rejectOf(words.imports.names.atlas)}
        title=${review.rejectOf(words.imports.names.atlas)}
        question=${review.rejectQuestion}
        confirm=${review.reject}
        onConfirm=${() => run(() => rejectAtlas(pending.revision))}
      />
    </div>
  </div>`;
}

const change = (one: number | undefined, other: number | undefined): string =>
  `${formatNumber(one ?? 0)} → ${formatNumber(other ?? 0)}`;

const number = (text: string) => ({ text, isNumber: true });

/** The numbers of each facet now and after the import. */
function FacetTable({
  status,
  pending,
}: {
  readonly status: AtlasStatus;
  readonly pending: Pending;
}): VNode {
  const { review } = words.imports;
  const [now, after] = [status.counts?.perFacet ?? {}, pending.counts?.perFacet ?? {}];
  const removed = new Set(pending.removedFacets);
  const names = [...new Set([...removed, ...Object.keys(now), ...Object.keys(after)])];
  const rows = names.map((name) => ({
    key: name,
    cells: [
      removed.has(name) ? html`<span class="bad">${review.removedFacet(name)}</span>` : name,
      change(now[name]?.regions, after[name]?.regions),
      change(now[name]?.spawners, after[name]?.spawners),
      change(now[name]?.total, after[name]?.total),
    ],
  }));
  const heads = [
    review.facet,
    number(review.regions),
    number(review.spawners),
    number(review.creatures),
  ];
  return html`<${Table} label=${review.table} heads=${heads} rows=${rows} none=${words.none} />`;
}
