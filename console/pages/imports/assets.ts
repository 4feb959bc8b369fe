import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { formatNumber, formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { ImportSection, type RunRequest } from "./import-section.ts";
import { LossReview } from "./loss-review.ts";
import { SourceState } from "./source-state.ts";
import type { ImportJobs } from "./use-import-jobs.ts";

type AssetStatus = AnswerOf<"GET /admin/shard/assets">;

const everyMs = 15_000;

/** The imports of pictures: of creatures and land tiles, and of the items on the market. */
export function AssetsImport({ jobs }: { readonly jobs: ImportJobs }): VNode {
  const status = useApiRead("GET /admin/shard/assets", {}, everyMs);
  const review = jobs.reviews.find(({ kind }) => kind === "assets");
  return html`<${ImportSection} kind="assets" jobs=${jobs} onEnded=${status.reload}>
      ${(run: RunRequest) =>
        html`<${ReadStateView} read=${status}>
            ${(data: AssetStatus) => html`<${Facts} status=${data} />`}
          <//>
          <${LossReview} kind="assets" review=${review} run=${run} />`}
    <//>
    <${ImportSection} kind="item-art" jobs=${jobs} onEnded=${status.reload}>
      ${() =>
        status.data &&
        html`<p>${words.imports.itemPictures(formatNumber(status.data.loaded.items))}</p>`}
    <//>`;
}

function Facts({ status }: { readonly status: AssetStatus }): VNode {
  const { loaded, shard, drift, reason, code } = status;
  const { facts, pictures, creatures, hashing, noAnswer } = words.imports;
  const imaging = shard?.imaging;
  return html`<dl>
    <dt>${facts.source}</dt>
    <dd>${shard ? words.imports.shard : noAnswer}</dd>
    <${SourceState} drift=${drift} problem=${reason} code=${code} />
    ${
      shard?.hashing &&
      html`<dt>${facts.shard}</dt>
      <dd>${hashing}</dd>`
    }
    ${
      imaging?.ok === false &&
      html`<dt>${facts.imaging}</dt>
      <dd class="bad">${imaging.reason ?? imaging.code}</dd>`
    }
    <dt>${facts.loaded}</dt>
    <dd>${pictures(formatNumber(loaded.stored), formatNumber(loaded.assets))}</dd>
    <dt>${facts.creatures}</dt>
    <dd>${creatures(formatNumber(loaded.resolved), formatNumber(loaded.creatures))}</dd>
    <dt>${facts.importedAt}</dt>
    <dd>${loaded.importedAt ? formatTime(loaded.importedAt) : words.never}</dd>
  </dl>`;
}
