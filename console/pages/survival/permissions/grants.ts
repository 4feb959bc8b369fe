import type { VNode } from "preact";

import { type AnswerOf, callApi, type QueryOf } from "../../../api/call.ts";
import { ConfirmButton } from "../../../parts/ask-button.ts";
import { Filter, Filters } from "../../../parts/filters.ts";
import { Field } from "../../../parts/form.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { optionsOf } from "../../../parts/options.ts";
import { readOffset, Pager } from "../../../parts/pager.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { reloadOnFailure } from "../../../parts/use-action.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { useLocation } from "../../../shell/router.ts";
import { useAccessCheck } from "../../../shell/session.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { type ServerList, useServers } from "../use-servers.ts";
import { ChangeGrantButton, type GrantProps, NewGrant } from "./grant-form.ts";
import { describeScope } from "./overview.ts";

type Page = AnswerOf<"GET /admin/survival/permissions/grants">;
export type Grant = Page["grants"][number];

const limit = 50;
const texts = ["steamId", "group", "value"] as const;

/** The permissions and memberships that were granted to players. */
export function SurvivalGrants(): VNode {
  const { grants: text } = words.survival;
  const { query } = useLocation();
  const servers = useServers();
  const may = useAccessCheck();
  const given = Object.fromEntries(
    [...texts, "server", "state", "offset"].flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const sent = { ...given, limit } as unknown as QueryOf<"GET /admin/survival/permissions/grants">;
  const read = useApiRead("GET /admin/survival/permissions/grants", { query: sent });
  return html`<${SitePageHeading} title=${words.survival.tabs.grants} />
    ${
      may("POST /admin/survival/permissions/grants") &&
      html`<${NewGrant} servers=${servers} onGranted=${read.reload} />`
    }
    <${GrantFilters} servers=${servers} />
    <${ReadStateView} read=${read}>
      ${({ grants, total }: Page) =>
        html`<p class="soft" role="status">${text.count(total)}</p>
          <${GrantTable} grants=${grants} servers=${servers} onChanged=${read.reload} />
          <${Pager} total=${total} limit=${limit} offset=${readOffset(query)} />`}
    <//>`;
}

function GrantFilters({ servers }: { readonly servers: ServerList }): VNode {
  const { grants: text } = words.survival;
  const { query } = useLocation();
  const valueOf = (name: string) => query.get(name) ?? "";
  return html`<${Filters} label=${text.filter}>
    ${texts.map(
      (name) =>
        html`<${Field} key=${name} label=${text[name]} name=${name} defaultValue=${valueOf(name)} />`,
    )}
    <${Filter} name="server" label=${text.server} value=${valueOf("server")} options=${servers.options} />
    <${Filter} name="state" label=${text.state} value=${valueOf("state")} options=${optionsOf(text.states)} />
  <//>`;
}

/** A table of grants, with the changes that the role may make. */
export function GrantTable({
  grants,
  servers,
  onChanged,
}: {
  readonly grants: readonly Grant[];
  readonly servers: ServerList;
  readonly onChanged: () => Promise<void>;
}): VNode {
  const { grants: text } = words.survival;
  const may = useAccessCheck();
  const mayChange = may("PUT /admin/survival/permissions/grants/{id}");
  const rows = grants.map((grant) => ({
    key: grant.id,
    cells: [
      html`<a href=${`/console/survival/players?steamId=${grant.steamId}`}>${grant.steamId}</a>`,
      text.kinds[grant.kind],
      html`<span class="code">${grant.value}</span>`,
      describeScope(grant.scope, servers),
      html`<span class=${stateKinds[grant.state]}>${text.states[grant.state]}</span>`,
      grant.expiresAt === null ? text.forever : formatTime(grant.expiresAt),
      text.origin(text.sources[grant.source], grant.createdBy),
      grant.reason ?? "–",
      ...(mayChange
        ? [html`<${GrantButtons} grant=${grant} servers=${servers} onChanged=${onChanged} />`]
        : []),
    ],
  }));
  const heads = [
    text.player,
    text.kind,
    text.value,
    text.scope,
    text.state,
    text.expires,
    text.by,
    text.reason,
    ...(mayChange ? [text.actions] : []),
  ];
  return html`<${Table} label=${words.survival.tabs.grants} heads=${heads} rows=${rows} none=${text.none} />`;
}

function GrantButtons({ grant, servers, onChanged }: GrantProps): VNode | null {
  if (grant.state !== "active") return null;
  return html`<div class="buttons">
    <${ChangeGrantButton} grant=${grant} servers=${servers} onChanged=${onChanged} />
    <${RevokeGrant} grant=${grant} onRevoked=${onChanged} />
  </div>`;
}

const stateKinds: Readonly<Record<Grant["state"], string>> = {
  active: "good",
  expiring: "warn",
  expired: "soft",
  revoked: "soft",
};

function RevokeGrant({
  grant,
  onRevoked,
}: {
  readonly grant: Grant;
  readonly onRevoked: () => Promise<void>;
}): VNode {
  const { grants: text } = words.survival;
  const revoke = async () => {
    await reloadOnFailure(onRevoked, () =>
      callApi("DELETE /admin/survival/permissions/grants/{id}", {
        path: { id: grant.id },
        body: { basedOn: grant.revision },
      }),
    );
    await onRevoked();
  };
  return html`<${ConfirmButton}
    text=${text.revoke}
    title=${text.revokeTitle}
    question=${text.revokeQuestion(grant.value, grant.steamId)}
    confirm=${text.revoke}
    onConfirm=${revoke}
    danger
  />`;
}
