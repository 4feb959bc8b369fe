import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";

export type ShardLink = AnswerOf<"GET /admin/shardlink/config">;
export type Server = AnswerOf<"GET /admin/survival/servers/{id}">["server"];
type Status = ShardLink["status"];

const tones: Readonly<Record<Status, string>> = {
  connected: "good",
  reconnecting: "warn",
  error: "bad",
  disconnected: "soft",
};

/** The state of a link as a word. */
export const LinkStatus = ({ status }: { readonly status: Status }): VNode =>
  html`<span class=${tones[status]}>${words.linkStates[status]}</span>`;
