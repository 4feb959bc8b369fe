import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";

import { html } from "./html.ts";

/** A part of a page, named by its heading. */
export function Section({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): VNode {
  const id = useId();
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    ${children}
  </section>`;
}
