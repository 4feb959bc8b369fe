import type { VNode } from "preact";

import type { AnswerOf } from "../../../api/call.ts";
import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";

type State = AnswerOf<"GET /admin/survival/npcs">["servers"][number]["state"];

const kinds: Readonly<Record<State, string>> = {
  pushed: "good",
  pending: "warn",
  failed: "bad",
  offline: "soft",
  unsupported: "soft",
};

/** States whether a server has the NPC data that the site has set. */
export function NpcSyncState({ state }: { readonly state: State }): VNode {
  return html`<span class=${kinds[state]}>${words.survival.reach[state]}</span>`;
}
