import type { VNode } from "preact";
import { useState } from "preact/hooks";

import type { AnswerOf } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { CopyText } from "../../parts/copy-text.ts";
import { DescriptionList } from "../../parts/facts.ts";
import { formatAgo, formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { words } from "../../words/words.ts";
import type { ShardLink } from "./link-status.ts";

export type NewPluginKey = AnswerOf<"POST /admin/shardlink/plugin-key">;

type Stored = Pick<ShardLink, "hasKey" | "keyCreatedAt" | "keyLastUsedAt" | "plugin">;

/** Creates and revokes the keys of a plugin. A new key is shown once. */
export function PluginKey({
  stored,
  isShard,
  create,
  revoke,
  onChange,
}: {
  readonly stored: Stored;
  readonly isShard: boolean;
  readonly create: () => Promise<NewPluginKey>;
  /** @returns the number of keys that were valid */
  readonly revoke: () => Promise<number>;
  readonly onChange: () => Promise<void>;
}): VNode {
  const { gameServers } = words;
  const action = useAction();
  const [made, setMade] = useState<NewPluginKey | null>(null);
  const [ended, setEnded] = useState<number | null>(null);
  const makeKey = async (event: MouseEvent) => {
    // The second click of a double click would create another key.
    if (event.detail > 1) return;
    await action.run(async () => {
      setMade(await create());
      setEnded(null);
      await onChange();
    });
  };
  const endKeys = async () => {
    setEnded(await revoke());
    setMade(null);
    await onChange();
  };
  return html`<section aria-label=${gameServers.key}>
    <h2>${gameServers.key}</h2>
    <${KeyFacts} stored=${stored} />
    ${made && html`<${KeyLines} made=${made} isShard=${isShard} onDone=${() => setMade(null)} />`}
    ${ended !== null && html`<p class="notice" role="status">${gameServers.keysRevoked(ended)}</p>`}
    <${ProblemView} problem=${action.problem} />
    ${stored.hasKey && html`<p class="soft hint">${gameServers.replaceHint}</p>`}
    <div class="buttons">
      <button
        type="button"
        class=${stored.hasKey ? "" : "main"}
        aria-disabled=${action.isRunning}
        onClick=${makeKey}
      >
        ${stored.hasKey ? gameServers.replaceKey : gameServers.createKey}
      </button>
      ${stored.hasKey && html`<${RevokeKeys} onConfirm=${endKeys} />`}
    </div>
  </section>`;
}

const RevokeKeys = ({ onConfirm }: { readonly onConfirm: () => Promise<void> }): VNode =>
  html`<${ConfirmButton}
    text=${words.gameServers.revokeKey}
    title=${words.gameServers.revokeKey}
    question=${words.gameServers.revokeQuestion}
    confirm=${words.gameServers.revokeKey}
    onConfirm=${onConfirm}
    danger
  />`;

function KeyFacts({ stored }: { readonly stored: Stored }): VNode {
  const { gameServers } = words;
  const { hasKey, keyCreatedAt, keyLastUsedAt, plugin } = stored;
  if (!hasKey) return html`<p class="soft">${gameServers.noKey}</p>`;
  return html`<${DescriptionList}
    facts=${[
      [gameServers.keyCreated, formatTime(keyCreatedAt)],
      [gameServers.keyUsed, formatAgo(keyLastUsedAt)],
      plugin && [gameServers.plugin, `${plugin.name} ${plugin.version}`],
    ]}
  />`;
}

/** The exact texts to type on the game server. */
function KeyLines({
  made: { command, url, key },
  isShard,
  onDone,
}: {
  readonly made: NewPluginKey;
  readonly isShard: boolean;
  readonly onDone: () => void;
}): VNode {
  const { gameServers } = words;
  return html`<div class="notice good stack" role="status">
    <p>${gameServers.keyOnce}</p>
    ${isShard && html`<${CopyText} label=${gameServers.lineInServuo} text=${`[${command}`} />`}
    <${CopyText}
      label=${isShard ? gameServers.lineElsewhere : gameServers.lineInConsole}
      text=${command}
    />
    ${
      isShard &&
      html`<${CopyText} label=${gameServers.fileInServuo} text=${`Url=${url}\nKey=${key}`} />`
    }
    <div class="buttons">
      <button type="button" onClick=${onDone}>${gameServers.hideKey}</button>
    </div>
  </div>`;
}
