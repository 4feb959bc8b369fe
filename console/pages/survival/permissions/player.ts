import type { VNode } from "preact";

import type { AnswerOf } from "../../../api/call.ts";
import { Field, Form, readTextField } from "../../../parts/form.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useAction } from "../../../parts/use-action.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { setQuery, useLocation } from "../../../shell/router.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { type ServerList, useServers } from "../use-servers.ts";
import { GrantTable } from "./grants.ts";

type Explained = AnswerOf<"GET /admin/survival/permissions/users/{steamId}">;

/** Explains which permissions a player has, on which servers and why. */
export function SurvivalPlayer(): VNode {
  const { player: text } = words.survival;
  const steamId = useLocation().query.get("steamId") ?? "";
  const servers = useServers();
  const action = useAction();
  const read = useApiRead(
    "GET /admin/survival/permissions/users/{steamId}",
    steamId === "" ? null : { path: { steamId } },
  );
  return html`<${SitePageHeading} title=${words.survival.tabs.player} />
    <${Form} action=${action} onSend=${showPlayer} send=${text.show} label=${text.search}>
      <${Field}
        key=${steamId}
        label=${text.steamId}
        name="steamId"
        inputmode="numeric"
        required
        defaultValue=${steamId}
        hint=${text.steamIdHint}
      />
    <//>
    ${
      steamId !== "" &&
      html`<${ReadStateView} read=${read}>
      ${(explained: Explained) =>
        html`<${Effective} explained=${explained} servers=${servers} />
          <h2>${text.memberships}</h2>
          <${GrantTable} grants=${explained.groups} servers=${servers} onChanged=${read.reload} />
          <h2>${text.direct}</h2>
          <${GrantTable} grants=${explained.direct} servers=${servers} onChanged=${read.reload} />`}
    <//>`
    }`;
}

const showPlayer = async (values: FormData) =>
  setQuery({ steamId: readTextField(values, "steamId").trim() });

function Effective({
  explained: { direct, effective },
  servers,
}: {
  readonly explained: Explained;
  readonly servers: ServerList;
}): VNode {
  const { player: text } = words.survival;
  const rows = effective.map(({ node, via, servers: on }) => ({
    key: `${node} ${via.join(" ")}`,
    cells: [
      html`<span class="code">${node}</span>`,
      via.join(" › "),
      on
        .map(({ id, live }) => (live ? servers.nameOf(id) : text.notYet(servers.nameOf(id))))
        .join(", "),
    ],
  }));
  const granted = direct.filter(({ state }) => state === "active").map(({ value }) => value);
  const isValid = isEffective(effective);
  const unknown = granted.filter((value) => !isValid(value));
  return html`<h2>${text.effective}</h2>
    <p class="soft">${text.effectiveHint}</p>
    <${Table}
      label=${text.effective}
      heads=${[text.permission, text.via, text.servers]}
      rows=${rows}
      none=${text.none}
    />
    ${unknown.length > 0 && html`<p class="notice">${text.unknown(unknown.join(", "))}</p>`}`;
}

/** True if a permission of the player, such as `kits.vip` or `kits.*`, is valid on a server. */
const isEffective =
  (effective: Explained["effective"]) =>
  (granted: string): boolean =>
    effective.some(({ node }) =>
      granted.endsWith(".*") ? node.startsWith(granted.slice(0, -1)) : node === granted,
    );
