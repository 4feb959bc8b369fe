import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Options } from "../../parts/options.ts";
import { useAction } from "../../parts/use-action.ts";
import { useCommand } from "../../parts/use-command.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { durationChoices, readBanDuration } from "./durations.ts";

interface Props {
  readonly serverId: number;
  readonly steamId: string;
  readonly name: string;
  /** Called after a command that may have changed the bans. */
  readonly onDone?: () => unknown;
}

/** Kicks, bans and unbans one player on one survival server. */
export function PlayerCommands({ serverId, steamId, name, onDone }: Props): VNode {
  const may = useAccessCheck();
  const [done, setDone] = useState("");
  const tell = (text: string) => {
    setDone(text);
    void onDone?.();
  };
  const of = { serverId, steamId, name, tell };
  return html`${done !== "" && html`<p class="notice good" role="status">${done}</p>`}
    <${KickOrBan} of=${of} />
    ${
      may("POST /admin/survival/servers/{id}/unban") &&
      html`<div class="buttons"><${UnbanButton} ...${of} /></div>`
    }`;
}

interface Commanded extends Omit<Props, "onDone"> {
  /** Shows that the command was carried out. */
  readonly tell: (text: string) => void;
}

const commandChoices = () =>
  (["ban", "kick"] as const).map((value) => ({ value, text: words.playerCommands[value] }));

function KickOrBan({ of }: { readonly of: Commanded }): VNode {
  const action = useAction();
  const [isBan, setBan] = useState(true);
  const [isDirty, setDirty] = useState(false);
  const [sent, setSent] = useState(0);
  const { kick, ban } = useKickAndBan(of);
  useUnsavedWarning(isDirty);
  const onSend = async (values: FormData) => {
    const reason = readTextField(values, "reason").trim();
    await (isBan ? ban(reason, readBanDuration(values)) : kick(reason));
    setDirty(false);
    setBan(true);
    setSent((count) => count + 1);
  };
  const onChange = (event: Event) =>
    setBan((event.currentTarget as HTMLSelectElement).value === "ban");
  return html`<div onInput=${() => setDirty(true)}>
    <${Form}
      key=${sent}
      action=${action}
      onSend=${onSend}
      send=${isBan ? words.playerCommands.ban : words.playerCommands.kick}
      label=${words.playerCommands.label(of.name)}
    >
      <${Field}
        label=${words.playerCommands.command}
        name="command"
        as="select"
        hint=${isBan ? words.playerCommands.banEffect : words.playerCommands.kickEffect}
        onChange=${onChange}
      >
        <${Options} options=${commandChoices()} chosen="ban" />
      <//>
      ${
        isBan &&
        html`<${Field} label=${words.playerCommands.duration} name="duration" as="select" problem=${action.problem}>
          <${Options} options=${durationChoices()} chosen="86400" />
        <//>`
      }
      <${Field}
        label=${words.playerCommands.reason}
        name="reason"
        hint=${words.playerCommands.reasonHint}
        autocomplete="off"
        required
        problem=${action.problem}
      />
    <//>
  </div>`;
}

/** Returns functions that send the commands and tell when they are carried out. */
function useKickAndBan({ serverId, steamId, name, tell }: Commanded) {
  const command = useCommand();
  const path = { id: serverId };
  const kick = async (reason: string) => {
    const body = { steamId, reason };
    await command({ kick: path, body }, (headers) =>
      callApi("POST /admin/survival/servers/{id}/kick", { path, body, headers }),
    );
    tell(words.playerCommands.kicked(name));
  };
  const ban = async (reason: string, durationSec: number | null) => {
    const body = { steamId, reason, durationSec };
    const { expiresAt, ownerSteamId } = await command({ ban: path, body }, (headers) =>
      callApi("POST /admin/survival/servers/{id}/ban", { path, body, headers }),
    );
    const until = expiresAt === null ? null : formatTime(expiresAt);
    tell(words.playerCommands.banned(name, until, ownerSteamId));
  };
  return { kick, ban };
}

/** Lifts the ban of a player. */
export function UnbanButton({ serverId, steamId, name, tell }: Commanded): VNode {
  const command = useCommand();
  const path = { id: serverId };
  const onConfirm = async () => {
    await command({ unban: path, steamId }, (headers) =>
      callApi("POST /admin/survival/servers/{id}/unban", { path, body: { steamId }, headers }),
    );
    tell(words.playerCommands.unbanned(name));
  };
  return html`<${ConfirmButton}
    text=${words.playerCommands.unban}
    title=${words.playerCommands.unbanTitle(name)}
    question=${words.playerCommands.unbanEffect}
    confirm=${words.playerCommands.unban}
    onConfirm=${onConfirm}
  />`;
}
