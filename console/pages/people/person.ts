import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Tabs } from "../../parts/tabs.ts";
import { type ReadState, useApiRead } from "../../parts/use-read.ts";
import type { PageProps } from "../../shell/frame.ts";
import { useLocation } from "../../shell/router.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { PersonAccount } from "./person-account.ts";
import { PersonActivity } from "./person-activity.ts";
import { PersonGame } from "./person-game.ts";
import { PersonReports } from "./person-reports.ts";
import { PersonSecurity } from "./person-security.ts";

export type Person = AnswerOf<"GET /admin/users/{id}">;

export interface PersonProps {
  readonly person: Person;
  readonly read: ReadState<Person>;
}

const parts = {
  account: PersonAccount,
  security: PersonSecurity,
  game: PersonGame,
  reports: PersonReports,
  activity: PersonActivity,
} as const;

const needs = {
  account: "GET /admin/users/{id}",
  security: "GET /admin/users/{id}/trusted-devices",
  game: "GET /admin/users/{id}/shard/accounts",
  reports: "GET /admin/users/{id}/survival/reports",
  activity: "GET /admin/activity",
} as const;

const names = Object.keys(parts) as (keyof typeof parts)[];

/** One person: the account, its security, game accounts, reports and entries of the activity log. */
export function PersonPage({ params }: PageProps): VNode {
  const { path, query } = useLocation();
  const may = useAccessCheck();
  const read = useApiRead("GET /admin/users/{id}", { path: { id: Number(params["id"]) } });
  const chosen = names.find((name) => name === query.get("tab")) ?? "account";
  const tabs = names
    .filter((name) => may(needs[name]))
    .map((name) => ({
      text: words.person.tabs[name],
      href: name === "account" ? path : `${path}?tab=${name}`,
      isCurrent: name === chosen,
    }));
  const View = parts[chosen];
  return html`<p><a href="/console/people">${words.person.back}</a></p>
    <h1>${read.data?.username ?? words.pages.person}</h1>
    <${ReadStateView} read=${read}>
      ${(person: Person) =>
        html`<${Tabs} label=${words.person.parts} tabs=${tabs} />
          <${View} person=${person} read=${read} />`}
    <//>`;
}
