import type { VNode } from "preact";

import { pages } from "../pages/catalog.ts";
import type { MenuGroup, Page } from "../pages/catalog/page.ts";
import { html } from "../parts/html.ts";
import { words } from "../words/words.ts";
import { useAccessCheck } from "./session.ts";

/** The menu: the pages that the role may open, in groups. @param section the address of the present entry */
export function Navigation({ section }: { readonly section: string | undefined }): VNode {
  const may = useAccessCheck();
  const shown = pages.filter(({ isInMenu, needs }) => isInMenu && may(needs));
  const groups = Map.groupBy(shown, ({ group }) => group);
  return html`<nav aria-label=${words.menu}>
    ${[...groups].map(
      ([group, entries]) =>
        html`<${Group} key=${group} group=${group} entries=${entries} section=${section} />`,
    )}
  </nav>`;
}

function Group({
  group,
  entries,
  section,
}: {
  readonly group: MenuGroup | null;
  readonly entries: readonly Page[];
  readonly section: string | undefined;
}): VNode {
  return html`${group && html`<p class="group" id=${`menu-${group}`}>${words.menuGroups[group]}</p>`}
    <ul aria-labelledby=${group ? `menu-${group}` : undefined}>
      ${entries.map(
        ({ path, name }) =>
          html`<li key=${path}>
            <a href=${path} aria-current=${section === path ? "page" : undefined}>
              ${words.pages[name]}
            </a>
          </li>`,
      )}
    </ul>`;
}
