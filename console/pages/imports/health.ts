import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { formatAgo, formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { type ReadState, useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import type { AtlasStatus } from "./skipped.ts";
import { SourceState } from "./source-state.ts";

type MarketMeta = AnswerOf<"GET /public/shard/market/meta">;

const everyMs = 15_000;

/** The health of the market and of the atlas. */
export function ImportHealth({ atlas }: { readonly atlas: ReadState<AtlasStatus> }): VNode {
  const market = useApiRead("GET /public/shard/market/meta", {}, everyMs);
  const text = words.imports.health;
  return html`<div class="cards">
    <section class="card" aria-labelledby="market-health">
      <h2 id="market-health">${text.market}</h2>
      ${
        market.problem?.status === 404
          ? html`<p class="soft">${text.marketOff}</p>`
          : html`<${ReadStateView} read=${market}>${(data: MarketMeta) => html`<${Market} meta=${data} />`}<//>`
      }
    </section>
    <section class="card" aria-labelledby="atlas-health">
      <h2 id="atlas-health">${text.atlas}</h2>
      <${ReadStateView} read=${atlas}>${(data: AtlasStatus) => html`<${Atlas} status=${data} />`}<//>
    </section>
  </div>`;
}

function Market({ meta }: { readonly meta: MarketMeta }): VNode {
  const text = words.imports.health;
  const { vendors, items, freshAt, staleAt, maps, regions } = meta;
  return html`<dl>
    <dt>${text.vendors}</dt>
    <dd>${formatNumber(vendors)}</dd>
    <dt>${text.items}</dt>
    <dd>${formatNumber(items)}</dd>
    <dt>${text.freshAt}</dt>
    <dd>${formatAgo(freshAt)}</dd>
    <dt>${text.staleAt}</dt>
    <dd>${formatAgo(staleAt)}</dd>
    ${
      maps &&
      regions &&
      html`<dt>${text.places}</dt>
      <dd>${text.placesOf(formatNumber(maps.length), formatNumber(regions.length))}</dd>`
    }
  </dl>`;
}

function Atlas({ status }: { readonly status: AtlasStatus }): VNode {
  const { facts } = words.imports;
  const { loaded, counts, pending } = status;
  return html`<dl>
    <${SourceState} drift=${status.drift} problem=${status.problem} code=${status.code} />
    <dt>${facts.loaded}</dt>
    <dd>${words.imports.atlasCounts(loaded, formatNumber)}</dd>
    <dt>${facts.skipped}</dt>
    <dd>${formatNumber(counts?.skipped ?? null)}</dd>
    <dt>${facts.warnings}</dt>
    <dd>${formatNumber(counts?.warnings ?? null)}</dd>
    <dt>${words.imports.review.title}</dt>
    <dd class=${pending?.status === "pending" ? "bad" : ""}>
      ${pending?.status === "pending" ? words.yes : words.no}
    </dd>
  </dl>`;
}
