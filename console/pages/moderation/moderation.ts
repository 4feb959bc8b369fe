import type { VNode } from "preact";

import { html } from "../../parts/html.ts";
import { Tabs } from "../../parts/tabs.ts";
import { useLocation } from "../../shell/router.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { Broadcast } from "./broadcast.ts";
import { GameLog } from "./game-log.ts";
import { HelpPages } from "./help-pages.ts";
import { Players } from "./players.ts";

const parts = { pages: HelpPages, players: Players, broadcast: Broadcast, log: GameLog } as const;

const needs = {
  pages: "GET /admin/shard/pages",
  players: "POST /admin/shard/ban",
  broadcast: "POST /admin/shard/broadcast",
  log: "GET /admin/shard/audit",
} as const;

const names = Object.keys(parts) as (keyof typeof parts)[];

/** Tools of the staff for the shard: help pages, kicks, bans and messages. */
export function Moderation(): VNode {
  const { path, query } = useLocation();
  const may = useAccessCheck();
  const chosen = names.find((name) => name === query.get("tab")) ?? "pages";
  const tabs = names
    .filter((name) => may(needs[name]))
    .map((name) => ({
      text: words.moderation.tabs[name],
      href: name === "pages" ? path : `${path}?tab=${name}`,
      isCurrent: name === chosen,
    }));
  const View = parts[chosen];
  return html`<h1>${words.pages.moderation}</h1>
    <${Tabs} label=${words.moderation.parts} tabs=${tabs} />
    <${View} key=${chosen} />`;
}
