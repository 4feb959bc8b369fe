import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Options } from "../../parts/options.ts";
import { type ActionState, useAction } from "../../parts/use-action.ts";
import { useCommand } from "../../parts/use-command.ts";
import { useLocation } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { durationChoices, readBanDuration } from "../reports/durations.ts";

type Command = "kick" | "ban" | "unban";

/** Kicks, bans and unbans game accounts of the shard. */
export function Players(): VNode {
  const { query } = useLocation();
  const action = useAction();
  const run = usePlayerCommand();
  const [chosen, setChosen] = useState<Command>("ban");
  const [done, setDone] = useState("");
  const onSend = async (values: FormData) => {
    setDone("");
    setDone(await run(chosen, values));
  };
  const onChange = (event: Event) =>
    setChosen((event.currentTarget as HTMLSelectElement).value as Command);
  const commands = (["ban", "kick", "unban"] as const).map((value) => ({
    value,
    text: words.playerCommands[value],
  }));
  return html`<p>${words.players.hint}</p>
    ${done !== "" && html`<p class="notice good" role="status">${done}</p>`}
    <${Form}
      action=${action}
      onSend=${onSend}
      send=${words.playerCommands[chosen]}
      label=${words.moderation.tabs.players}
    >
      <${Field}
        label=${words.playerCommands.command}
        name="command"
        as="select"
        hint=${words.players.effects[chosen]}
        onChange=${onChange}
      >
        <${Options} options=${commands} chosen="ban" />
      <//>
      <${TargetFields} chosen=${chosen} account=${query.get("account") ?? ""} problem=${action.problem} />
    <//>`;
}

/** The fields that name the player, and the length and reason of a ban. */
function TargetFields({
  chosen,
  account,
  problem,
}: Pick<ActionState, "problem"> & { readonly chosen: Command; readonly account: string }): VNode {
  return html`<${Field}
        label=${words.personGame.account}
        name="account"
        hint=${chosen === "unban" ? "" : words.players.accountHint}
        defaultValue=${account}
        autocomplete="off"
        autocapitalize="none"
        spellcheck=${false}
        required=${chosen === "unban"}
        problem=${problem}
      />
      ${
        chosen !== "unban" &&
        html`<${Field}
          label=${words.players.serial}
          name="serial"
          hint=${words.players.serialHint}
          autocomplete="off"
          spellcheck=${false}
          problem=${problem}
        />`
      }
      ${chosen === "ban" && html`<${BanFields} problem=${problem} />`}`;
}

const BanFields = ({ problem }: Pick<ActionState, "problem">): VNode =>
  html`<${Field}
      label=${words.playerCommands.duration}
      name="duration"
      as="select"
      problem=${problem}
    >
      <${Options} options=${durationChoices()} chosen="86400" />
    <//>
    <${Field}
      label=${words.playerCommands.reason}
      name="reason"
      hint=${words.players.reasonHint}
      maxlength="256"
      autocomplete="off"
      problem=${problem}
    />`;

/** @returns a function that sends a command and returns its effect in words */
function usePlayerCommand(): (chosen: Command, values: FormData) => Promise<string> {
  const command = useCommand();
  return (chosen, values) => {
    const [account, serial] = [
      readTextField(values, "account").trim(),
      readTextField(values, "serial").trim(),
    ];
    const target = { ...(account !== "" && { account }), ...(serial !== "" && { serial }) };
    const name = account === "" ? serial : account;
    if (chosen === "kick") {
      return command({ chosen, target }, async (headers) => {
        const { kicked } = await callApi("POST /admin/shard/kick", { body: target, headers });
        return words.players.kicked(name, kicked ?? null);
      });
    }
    if (chosen === "unban") {
      return command({ chosen, account }, async (headers) => {
        const body = { account };
        const { wasBanned } = await callApi("POST /admin/shard/unban", { body, headers });
        return wasBanned === false
          ? words.players.wasNotBanned(name)
          : words.players.unbanned(name);
      });
    }
    const durationSec = readBanDuration(values) ?? 0;
    const body = { ...target, durationSec, reason: readTextField(values, "reason").trim() };
    return command({ chosen, body }, async (headers) => {
      const { until } = await callApi("POST /admin/shard/ban", { body, headers });
      return words.players.banned(name, until ? formatTime(until) : null);
    });
  };
}
