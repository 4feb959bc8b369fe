import type { VNode } from "preact";

import { useLocation } from "../shell/router.ts";
import { words } from "../words/words.ts";
import { formatNumber } from "./format.ts";
import { html } from "./html.ts";

/** Returns the number of entries that the address skips. */
export function readOffset(query: URLSearchParams): number {
  const offset = Number(query.get("offset") ?? 0);
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}

/**
 * Links to the previous and the next page of a list, which set `offset` in the address.
 * @param total the number of entries on all pages; null if the service does not tell it
 * @param hasMore for a list without total: true if a further page may exist
 */
export function Pager({
  total,
  limit,
  offset,
  hasMore = false,
}: {
  readonly total: number | null;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore?: boolean;
}): VNode | null {
  const { path, query } = useLocation();
  const hasNext = total === null ? hasMore : offset + limit < total;
  if (offset === 0 && !hasNext) return null;
  const to = (start: number) => {
    const changed = new URLSearchParams(query);
    changed.delete("offset");
    if (start > 0) changed.set("offset", String(start));
    return changed.size > 0 ? `${path}?${changed}` : path;
  };
  const last = total === null ? offset + limit : Math.min(offset + limit, total);
  return html`<div class="buttons pager" role="group" aria-label=${words.pager.label}>
    ${
      offset > 0 &&
      html`<a class="button" rel="prev" href=${to(Math.max(0, offset - limit))}>
        ${words.pager.previous}
      </a>`
    }
    <span class="soft">
      ${words.pager.range(formatNumber(offset + 1), formatNumber(last), total === null ? null : formatNumber(total))}
    </span>
    ${
      hasNext &&
      html`<a class="button" rel="next" href=${to(offset + limit)}>${words.pager.next}</a>`
    }
  </div>`;
}

/** A button that reads older entries of a list that is paged with `before`. */
export function MoreButton({
  onMore,
  hasMore,
}: {
  readonly onMore: () => unknown;
  readonly hasMore: boolean;
}): VNode | null {
  if (!hasMore) return null;
  return html`<p>
    <button type="button" onClick=${() => void onMore()}>${words.pager.more}</button>
  </p>`;
}
