import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { Filter, Filters } from "../../parts/filters.ts";
import { Field } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { readOffset, Pager } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useLocation } from "../../shell/router.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { PeopleTabs } from "./people-tabs.ts";
import { roleChoices, parseRole } from "./roles.ts";

const limit = 50;

type UserPage = AnswerOf<"GET /admin/users">;
type User = UserPage["users"][number];

/** The accounts of the site, searched by a part of the name or e-mail address and by role. */
export function People(): VNode {
  const { query } = useLocation();
  const may = useAccessCheck();
  const offset = readOffset(query);
  const q = query.get("q") ?? "";
  const role = parseRole(query.get("role"));
  const read = useApiRead("GET /admin/users", {
    query: { q, ...(role && { role }), limit, offset },
  });
  return html`<div class="row">
      <h1>${words.pages.people}</h1>
      ${
        may("POST /admin/users") &&
        html`<a class="button" href="/console/people/new">${words.people.create}</a>`
      }
    </div>
    <${PeopleTabs} />
    <${Filters} label=${words.people.search}>
      <${Field} label=${words.people.nameOrMail} name="q" type="search" defaultValue=${q} maxlength="254" />
      <${Filter} name="role" label=${words.people.role} value=${role ?? ""} options=${roleChoices()} all=${words.people.everyRole} />
    <//>
    <${ReadStateView} read=${read}>
      ${({ users, total }: UserPage) =>
        html`<p class="soft" role="status">${words.people.found(total)}</p>
          <${Table}
            label=${words.pages.people}
            heads=${[
              words.people.username,
              words.people.role,
              words.people.email,
              words.people.state,
              words.people.since,
            ]}
            rows=${users.map(rowOf)}
            none=${words.people.nobody}
          />
          <${Pager} total=${total} limit=${limit} offset=${offset} />`}
    <//>`;
}

const rowOf = (user: User) => ({
  key: user.id,
  cells: [
    html`<a href=${`/console/people/${user.id}`}>${user.username}</a>`,
    words.roles[user.role],
    user.email ?? "–",
    stateOf(user),
    formatTime(user.created_at),
  ],
});

function stateOf({ disabled, totp_enabled: hasSecondFactor }: User): VNode | string {
  if (disabled) return html`<span class="bad">${words.people.disabled}</span>`;
  return hasSecondFactor ? words.people.secondFactor : words.people.noSecondFactor;
}
