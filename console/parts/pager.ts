import type { VNode } from "preact";

import { words } from "../words/words.ts";
import { html } from "./html.ts";

/** Links to the neighboring pages of a list. They set `offset` in the query of the address. */
export function Pager({
  total,
  limit,
  offset,
}: {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}): VNode | null {
  if (total <= limit && offset === 0) return null;
  const last = Math.min(offset + limit, total);
  return html`<div class="row">
    <span class="soft">${words.pager.range(Math.min(offset + 1, total), last, total)}</span>
    <span class="buttons">
      ${
        offset > 0 &&
        html`<a class="button" href=${hrefAt(offset - limit)}>${words.pager.previous}</a>`
      }
      ${last < total && html`<a class="button" href=${hrefAt(offset + limit)}>${words.pager.next}</a>`}
    </span>
  </div>`;
}

function hrefAt(offset: number): string {
  const url = new URL(location.href);
  if (offset > 0) url.searchParams.set("offset", String(offset));
  else url.searchParams.delete("offset");
  return url.pathname + url.search;
}

/** A button that reads older entries of a list. */
export function More({
  onMore,
  hasMore,
}: {
  readonly onMore: () => void;
  readonly hasMore: boolean;
}): VNode | null {
  if (!hasMore) return null;
  return html`<p><button type="button" onClick=${onMore}>${words.pager.more}</button></p>`;
}
