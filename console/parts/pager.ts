import type { VNode } from "preact";

import { useLocation } from "../shell/router.ts";
import { words } from "../words/words.ts";
import { html } from "./html.ts";

/** Links to the previous and the next page of a list. They set `offset` in the query. */
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
  if (total <= limit && offset === 0) return null;
  const linkTo = (start: number): string => {
    const next = new URLSearchParams(query);
    if (start > 0) next.set("offset", String(start));
    else next.delete("offset");
    return next.size > 0 ? `${path}?${next}` : path;
  };
  const last = Math.min(offset + limit, total);
  return html`<nav class="buttons" aria-label=${words.pager.label}>
    ${
      offset > 0 &&
      html`<a class="button" href=${linkTo(Math.max(0, offset - limit))}>${words.pager.previous}</a>`
    }
    <span class="soft">${words.pager.range(Math.min(offset + 1, total), last, total)}</span>
    ${last < total && html`<a class="button" href=${linkTo(offset + limit)}>${words.pager.next}</a>`}
  </nav>`;
}

/** A button that reads the next part of a list. */
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
