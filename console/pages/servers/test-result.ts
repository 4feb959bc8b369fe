import type { VNode } from "preact";

import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";

/** The result of a test of a link: whether it works, and otherwise why not and what to do. */
export function LinkTestResult({
  isWorking,
  reason,
  advice,
}: {
  readonly isWorking: boolean;
  readonly reason: string | null;
  readonly advice: readonly string[];
}): VNode {
  const { gameServers } = words;
  return html`<div class=${isWorking ? "notice good" : "notice bad"} role="status">
    <p>${isWorking ? gameServers.testWorks : gameServers.testFails}</p>
    ${reason !== null && html`<p>${gameServers.reason}: <strong>${reason}</strong></p>`}
    ${advice.map((text) => html`<p key=${text}>${text}</p>`)}
  </div>`;
}
