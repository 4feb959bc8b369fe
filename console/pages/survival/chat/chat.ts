import type { VNode } from "preact";

import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { ChatStyle } from "./style.ts";
import { TitleCategories } from "./title-categories.ts";

/** How the site's messages look in the chat of the games, and the titles of the statistics. */
export function SurvivalChat(): VNode {
  return html`<${SitePageHeading} title=${words.survival.tabs.chat} />
    <${ChatStyle} />
    <${TitleCategories} />`;
}
