import type { VNode } from "preact";

import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";
import { ShardVisibility } from "./shard.ts";
import { SurvivalVisibility } from "./survival.ts";

/** The audiences of the parts of the shard and of the survival servers. */
export function Visibility(): VNode {
  return html`<h1>${words.pages.visibility}</h1>
    <p class="soft">${words.visibility.hint}</p>
    <h2>${words.visibility.shard}</h2>
    <${ShardVisibility} />
    <h2>${words.visibility.survival}</h2>
    <${SurvivalVisibility} />`;
}
