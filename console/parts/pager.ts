import type { VNode } from "preact";

import { useLocation } from "../shell/router.ts";
import { words } from "../words/words.ts";
import { formatNumber } from "./format.ts";
import { html } from "./html.ts";

/** Links to the previous and the next part of a list, which set `offset` in the query of the address. */
export function Pager({
  total,
  limit,
  offset,
}: {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}): VNode | null {
  const { path, query } = useLocation();
  if (total === 0) return null;
  const linkTo = (to: number) => {
    const search = new URLSearchParams(query);
    search.delete("offset");
    if (to > 0) search.set("offset", String(to));
    return path + (search.size > 0 ? `?${search}` : "");
  };
  const [first, last] = [Math.min(offset + 1, total), Math.min(offset + limit, total)];
  return html`<div class="row pager">
    <span class="soft">
      ${words.pager.range(formatNumber(first), formatNumber(last), formatNumber(total))}
    </span>
    <span class="buttons">
      ${
        offset > 0 &&
        html`<a class="button" href=${linkTo(Math.max(0, offset - limit))}>${words.pager.previous}</a>`
      }
      ${offset + limit < total && html`<a class="button" href=${linkTo(offset + limit)}>${words.pager.next}</a>`}
    </span>
  </div>`;
}

/** A button that reads further entries of a list. */
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

/** Returns the position of a list in the query of an address. */
export function offsetIn(query: URLSearchParams): number {
  const given = Number(query.get("offset") ?? "0");
  return Number.isSafeInteger(given) && given > 0 ? given : 0;
}
