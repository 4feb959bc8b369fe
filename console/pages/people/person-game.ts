import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useCommand } from "../../parts/use-command.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { Houses, OnlineCharacters, Sales } from "./person-possessions.ts";
import type { PersonProps } from "./person.ts";

type Accounts = AnswerOf<"GET /admin/users/{id}/shard/accounts">;
type Offices = AnswerOf<"GET /admin/users/{id}/shard/standing">;

/** The linked game accounts, and what the shard told about their characters. */
export function PersonGame({ person: { id } }: PersonProps): VNode {
  return html`<${GameAccounts} id=${id} />
    <${OnlineCharacters} id=${id} />
    <${Offices} id=${id} />
    <${Houses} id=${id} />
    <${Sales} id=${id} />`;
}

function GameAccounts({ id }: { readonly id: number }): VNode {
  const read = useApiRead("GET /admin/users/{id}/shard/accounts", { path: { id } });
  const may = useAccessCheck();
  const name = (account: string) =>
    may("POST /admin/shard/ban")
      ? html`<a href=${`/console/moderation?tab=players&account=${encodeURIComponent(account)}`}>
          ${account}
        </a>`
      : account;
  return html`<h2>${words.personGame.accounts}</h2>
    <p>${words.personGame.accountsHint}</p>
    <${ReadStateView} read=${read}>
      ${(accounts: Accounts) =>
        html`<${Table}
          label=${words.personGame.accounts}
          heads=${[words.personGame.account, words.personGame.linkedAt, words.personGame.change]}
          rows=${accounts.map(({ account, linkedAt }) => ({
            key: account,
            cells: [
              name(account),
              formatTime(linkedAt),
              html`<${UnlinkButton} id=${id} account=${account} reload=${read.reload} />`,
            ],
          }))}
          none=${words.personGame.noAccounts}
        />`}
    <//>`;
}

function UnlinkButton({
  id,
  account,
  reload,
}: {
  readonly id: number;
  readonly account: string;
  readonly reload: () => Promise<void>;
}): VNode | null {
  const may = useAccessCheck();
  const command = useCommand();
  if (!may("DELETE /admin/users/{id}/shard/link/{account}")) return null;
  const path = { id, account };
  const onConfirm = async () => {
    await command(path, (headers) =>
      callApi("DELETE /admin/users/{id}/shard/link/{account}", { path, headers }),
    );
    await reload();
  };
  return html`<${ConfirmButton}
    text=${words.personGame.unlink}
    title=${words.personGame.unlinkTitle(account)}
    question=${words.personGame.unlinkEffect}
    confirm=${words.personGame.unlink}
    onConfirm=${onConfirm}
    danger
  />`;
}

/** The cities that the person's characters govern and the guilds that they lead. */
function Offices({ id }: { readonly id: number }): VNode {
  const read = useApiRead("GET /admin/users/{id}/shard/standing", { path: { id } });
  return html`<h2>${words.personGame.offices}</h2>
    <${ReadStateView} read=${read}>
      ${({ governorOf, guildsLed }: Offices) =>
        html`<dl>
          <dt>${words.personGame.governor}</dt>
          <dd>${governorOf.join(", ") || words.none}</dd>
          <dt>${words.personGame.guilds}</dt>
          <dd>
            ${
              guildsLed
                .map(({ guildId, name, abbr }) =>
                  [name ?? `#${guildId}`, abbr && `[${abbr}]`].filter(Boolean).join(" "),
                )
                .join(", ") || words.none
            }
          </dd>
        </dl>`}
    <//>`;
}
