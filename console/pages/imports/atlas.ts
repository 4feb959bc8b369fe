import type { VNode } from "preact";

import { callApi } from "../../api/call.ts";
import { formatNumber, formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import type { ReadState } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { AtlasReview } from "./atlas-review.ts";
import { ImportSection, type RunRequest } from "./import-section.ts";
import { PathForm } from "./path-form.ts";
import { type AtlasStatus, SkippedRecords } from "./skipped.ts";
import { SourceState } from "./source-state.ts";
import type { ImportJobs } from "./use-import-jobs.ts";

/** The import of the spawn atlas. */
export function AtlasImport({
  status,
  jobs,
}: {
  readonly status: ReadState<AtlasStatus>;
  readonly jobs: ImportJobs;
}): VNode {
  const savePath = async (path: string) =>
    status.set(await callApi("PUT /admin/shard/atlas/path", { body: { path } }));
  return html`<${ImportSection} kind="atlas" jobs=${jobs} onEnded=${status.reload}>
    ${(run: RunRequest) =>
      html`<${ReadStateView} read=${status}>
        ${(data: AtlasStatus) =>
          html`<${Facts} status=${data} />
            ${data.pending && html`<${AtlasReview} status=${data} pending=${data.pending} run=${run} />`}
            <${PathForm}
              path=${data.path ?? ""}
              label=${words.imports.atlasPath}
              hint=${words.imports.atlasPathHint}
              onSend=${savePath}
            />`}
      <//>`}
  <//>`;
}

function Facts({ status }: { readonly status: AtlasStatus }): VNode {
  const { loaded, counts, tree, path, source } = status;
  const { facts } = words.imports;
  const leftOut = tree?.leftOut.map((folder) => folder.path) ?? [];
  return html`<dl>
    <dt>${facts.source}</dt>
    <dd>${source === "bridge" ? words.imports.shard : (path ?? "–")}</dd>
    <${SourceState} drift=${status.drift} problem=${status.problem} code=${status.code} />
    <dt>${facts.loaded}</dt>
    <dd>${words.imports.atlasCounts(loaded, formatNumber)}</dd>
    <dt>${facts.importedAt}</dt>
    <dd>${loaded.importedAt ? formatTime(loaded.importedAt) : words.never}</dd>
    ${
      counts &&
      counts.skipped > 0 &&
      html`<dt>${facts.skipped}</dt>
      <dd><${SkippedRecords} counts=${counts} /></dd>`
    }
    ${
      leftOut.length > 0 &&
      html`<dt>${facts.leftOut}</dt>
      <dd>${leftOut.join(", ")}</dd>`
    }
  </dl>`;
}
