import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

import { html } from "../../../parts/html.ts";
import { ProblemView } from "../../../parts/problem-view.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";
import type { ConfigWrite } from "./editor.ts";

/** Follows a write until the game has reported its outcome, and shows the outcome. */
export function WriteProgress({
  serverId,
  writeId,
  plugin,
  onEnded,
  onReload,
}: {
  readonly serverId: number;
  readonly writeId: string;
  readonly plugin: string;
  readonly onEnded: (write: ConfigWrite) => void;
  readonly onReload: () => Promise<void>;
}): VNode {
  const { config: text } = words.survival;
  const [isEnded, setEnded] = useState(false);
  const read = useApiRead(
    "GET /admin/survival/config/{serverId}/writes/{writeId}",
    { path: { serverId, writeId } },
    isEnded ? undefined : 1_000,
  );
  const write = read.data?.write ?? null;
  const hasEnded = write !== null && write.state !== "reloading";
  useEffect(() => {
    if (!hasEnded) return;
    setEnded(true);
    onEnded(write);
  }, [hasEnded]);
  return html`<${ProblemView} problem=${read.problem} />
    <div role="status">
      ${write && !hasEnded && html`<p class="notice">${text.reloading(plugin)}</p>`}
      ${write && hasEnded && html`<${WriteResult} write=${write} onReload=${onReload} />`}
    </div>`;
}

/** States how a write ended, with the messages of the game. */
function WriteResult({
  write,
  onReload,
}: {
  readonly write: ConfigWrite;
  readonly onReload: () => Promise<void>;
}): VNode {
  const { config: text } = words.survival;
  const isGood = write.outcome === "ok";
  return html`<div class=${isGood ? "notice good" : "notice bad"}>
    <p>${text.outcomes[configWriteOutcomeOf(write)]}</p>
    ${write.message && html`<p>${write.message}</p>`}
    <${LogTail} lines=${write.logTail} />
    ${isGood && write.afterHash !== write.writtenHash && html`<p>${text.rewritten}</p>`}
    <button type="button" onClick=${() => void onReload()}>${text.readAgain}</button>
  </div>`;
}

/** The last lines of the game's log. */
export function LogTail({ lines }: { readonly lines: readonly string[] }): VNode | null {
  if (lines.length === 0) return null;
  return html`<pre tabindex="0" role="group" aria-label=${words.survival.config.log}>${lines.join("\n")}</pre>`;
}

/** Returns the key of the text for the state of a write. */
export function configWriteOutcomeOf({
  state,
  outcome,
}: ConfigWrite): "reloading" | "lost" | "ok" | "failed" | "rolled-back" {
  if (state !== "settled") return state;
  return outcome ?? "failed";
}
