import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { useAction } from "../../parts/use-action.ts";
import { words } from "../../words/words.ts";
import { PlayerCommands } from "./player-commands.ts";

/** Kicks or bans a player who is known by the Steam id only. */
export function BanBySteamId({
  serverId,
  onDone,
}: {
  readonly serverId: number;
  readonly onDone: () => unknown;
}): VNode {
  const action = useAction();
  const [steamId, setSteamId] = useState("");
  const onSend = async (values: FormData) => setSteamId(readTextField(values, "steamId").trim());
  return html`<h2>${words.serverBans.byNumber}</h2>
    <${Form}
      action=${action}
      onSend=${onSend}
      send=${words.serverBans.continue}
      label=${words.serverBans.byNumber}
    >
      <${Field}
        label=${words.serverBans.steamId}
        name="steamId"
        hint=${words.reports.steamIdHint}
        inputmode="numeric"
        autocomplete="off"
        pattern="\\s*7656119[0-9]{10}\\s*"
        required
      />
    <//>
    ${
      steamId !== "" &&
      html`<h3>${words.report.player(steamId)}</h3>
        <${PlayerCommands}
          key=${steamId}
          serverId=${serverId}
          steamId=${steamId}
          name=${steamId}
          onDone=${onDone}
        />`
    }`;
}
