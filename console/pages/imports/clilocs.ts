import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { formatBytes, formatNumber, formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { ImportSection, type RunRequest } from "./import-section.ts";
import { LossReview } from "./loss-review.ts";
import { PathForm } from "./path-form.ts";
import { SourceState } from "./source-state.ts";
import type { ImportJobs } from "./use-import-jobs.ts";

type ClilocStatus = AnswerOf<"GET /admin/shard/clilocs">;

const everyMs = 15_000;

/** The import of the texts of the game client. */
export function ClilocsImport({ jobs }: { readonly jobs: ImportJobs }): VNode {
  const status = useApiRead("GET /admin/shard/clilocs", {}, everyMs);
  const review = jobs.reviews.find(({ kind }) => kind === "clilocs");
  const savePath = async (path: string) =>
    status.set(await callApi("PUT /admin/shard/clilocs/path", { body: { path } }));
  return html`<${ImportSection} kind="clilocs" jobs=${jobs} onEnded=${status.reload}>
    ${(run: RunRequest) =>
      html`<${ReadStateView} read=${status}>
          ${(data: ClilocStatus) =>
            html`<${Facts} status=${data} />
              <${PathForm}
                path=${data.path}
                label=${words.imports.clilocsPath}
                hint=${words.imports.clilocsPathHint}
                onSend=${savePath}
              />`}
        <//>
        <${LossReview} kind="clilocs" review=${review} run=${run} />`}
  <//>`;
}

function Facts({ status }: { readonly status: ClilocStatus }): VNode {
  const { facts } = words.imports;
  const { source, file, path, loadedSources, sourceBytes, importedAt, shard, count } = status;
  const files = loadedSources?.map(({ label }) => label).filter((label) => label !== "shard") ?? [];
  return html`<dl>
    <dt>${facts.source}</dt>
    <dd>${source === "bridge" ? words.imports.shard : (file ?? (path || words.imports.noPath))}</dd>
    <${SourceState} drift=${status.drift} problem=${status.problem} code=${status.code} />
    ${
      shard?.hashing &&
      html`<dt>${facts.shard}</dt>
      <dd>${words.imports.hashing}</dd>`
    }
    <dt>${facts.loaded}</dt>
    <dd>
      ${words.imports.texts(formatNumber(count))}
      ${sourceBytes !== null && ` · ${formatBytes(sourceBytes)}`}
    </dd>
    ${
      files.length > 0 &&
      html`<dt>${facts.files}</dt>
      <dd>${files.join(", ")}</dd>`
    }
    <dt>${facts.importedAt}</dt>
    <dd>${importedAt ? formatTime(importedAt) : words.never}</dd>
  </dl>`;
}
