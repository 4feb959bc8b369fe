import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../../api/call.ts";
import { ConfirmButton } from "../../../parts/ask-button.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";

type Bans = AnswerOf<"GET /admin/survival/servers/{id}/bans">["bans"];

/** The bans of the server. They are read from the game when the list is opened. */
export function Bans({ serverId }: { readonly serverId: number }): VNode {
  const [isOpen, setOpen] = useState(false);
  const path = { id: serverId };
  const read = useApiRead("GET /admin/survival/servers/{id}/bans", isOpen ? { path } : null);
  const { bans: text } = words.survival;
  if (!isOpen) {
    return html`<h2>${text.title}</h2>
      <button type="button" onClick=${() => setOpen(true)}>${text.show}</button>`;
  }
  return html`<h2>${text.title}</h2>
    <${ReadStateView} read=${read}>
      ${({ bans }: { readonly bans: Bans }) =>
        html`<${BanTable} serverId=${serverId} bans=${bans} onLifted=${read.reload} />`}
    <//>`;
}

function BanTable({
  serverId,
  bans,
  onLifted,
}: {
  readonly serverId: number;
  readonly bans: Bans;
  readonly onLifted: () => Promise<void>;
}): VNode {
  const { bans: text } = words.survival;
  const lift = async (steamId: string) => {
    const path = { id: serverId };
    await callApi("POST /admin/survival/servers/{id}/unban", { path, body: { steamId } });
    await onLifted();
  };
  const rows = bans.map(({ steamId, name, reason, expiresAt }) => ({
    key: steamId,
    cells: [
      name || steamId,
      steamId,
      reason,
      expiresAt === null ? text.forever : formatTime(expiresAt),
      html`<${ConfirmButton}
        text=${text.lift}
        title=${text.liftTitle(name || steamId)}
        question=${text.liftQuestion}
        confirm=${text.lift}
        onConfirm=${() => lift(steamId)}
      />`,
    ],
  }));
  const heads = [text.name, text.steamId, text.reason, text.ends, text.actions];
  return html`<${Table} label=${text.title} heads=${heads} rows=${rows} none=${text.none} />`;
}
