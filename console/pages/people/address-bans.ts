import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { formatNumber, formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { readOffset, Pager } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useAction } from "../../parts/use-action.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useLocation } from "../../shell/router.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { PeopleTabs } from "./people-tabs.ts";

/** The number of bans that are drawn at once. The service sends all in one answer. */
const limit = 50;

type Ban = AnswerOf<"GET /admin/bans">["bans"][number];
type LiftedBan = AnswerOf<"DELETE /admin/bans/{ip}">;

/** The banned IP addresses. */
export function AddressBans(): VNode {
  const read = useApiRead("GET /admin/bans", {});
  const offset = readOffset(useLocation().query);
  const may = useAccessCheck();
  const [lifted, setLifted] = useState<LiftedBan | null>(null);
  const lift = async (ip: string) => {
    setLifted(await callApi("DELETE /admin/bans/{ip}", { path: { ip } }));
    await read.reload();
  };
  return html`<h1>${words.pages.addressBans}</h1>
    <${PeopleTabs} />
    <p>${words.addressBans.hint}</p>
    ${lifted && html`<${Lifted} lifted=${lifted} />`}
    <${ReadStateView} read=${read}>
      ${({ bans }: AnswerOf<"GET /admin/bans">) =>
        html`<${Table}
            label=${words.pages.addressBans}
            heads=${[
              words.addressBans.address,
              { text: words.addressBans.score, isNumber: true },
              { text: words.addressBans.strikes, isNumber: true },
              words.addressBans.until,
              words.addressBans.change,
            ]}
            rows=${bans.slice(offset, offset + limit).map((ban) => rowOf(ban, lift))}
            none=${words.addressBans.nobody}
          />
          <${Pager} total=${bans.length} limit=${limit} offset=${offset} />`}
    <//>
    ${may("DELETE /admin/bans/{ip}") && html`<${LiftForm} lift=${lift} />`}`;
}

const rowOf = ({ ip, score, strikes, banned_until: until }: Ban, lift: Lift) => ({
  key: ip,
  cells: [
    html`<span class="code">${ip}</span>`,
    formatNumber(Math.round(score)),
    formatNumber(strikes),
    formatTime(until),
    html`<${LiftButton} ip=${ip} lift=${lift} />`,
  ],
});

type Lift = (ip: string) => Promise<void>;

function LiftButton({ ip, lift }: { readonly ip: string; readonly lift: Lift }): VNode | null {
  const may = useAccessCheck();
  if (!may("DELETE /admin/bans/{ip}")) return null;
  return html`<${ConfirmButton}
    text=${words.addressBans.lift}
    title=${words.addressBans.liftTitle}
    question=${words.addressBans.liftQuestion(ip)}
    confirm=${words.addressBans.lift}
    onConfirm=${() => lift(ip)}
  />`;
}

/** Lifts every ban that includes an address, for example one that a person names in a mail. */
function LiftForm({ lift }: { readonly lift: Lift }): VNode {
  const action = useAction();
  return html`<h2>${words.addressBans.oneAddress}</h2>
    <${Form}
      action=${action}
      onSend=${(values: FormData) => lift(readTextField(values, "ip").trim())}
      send=${words.addressBans.lift}
      label=${words.addressBans.oneAddress}
    >
      <${Field}
        label=${words.addressBans.address}
        name="ip"
        hint=${words.addressBans.oneAddressHint}
        autocomplete="off"
        spellcheck=${false}
        maxlength="64"
        required
        problem=${action.problem}
      />
    <//>`;
}

const Lifted = ({ lifted: { ip, removed } }: { readonly lifted: LiftedBan }): VNode =>
  html`<p class=${removed ? "notice good" : "notice"} role="status">
    ${removed ? words.addressBans.lifted(ip) : words.addressBans.wasNotBanned(ip)}
  </p>`;
