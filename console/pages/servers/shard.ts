import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { DescriptionList } from "../../parts/facts.ts";
import { formatDuration, formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView, ProblemView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { type ReadState, useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { LinkAdvice, listShardAdvice } from "./advice.ts";
import { LinkStatus, type ShardLink } from "./link-status.ts";
import { PluginKey } from "./plugin-key.ts";
import { ShardForm } from "./shard-form.ts";
import { ShardLiveEvents } from "./shard-live.ts";
import { ShardTools } from "./shard-tools.ts";
import { LinkTestResult } from "./test-result.ts";

/** The service asks the game during each read, which takes up to five seconds while the game is away. */
const everyMs = 6_000;

/** The link to the shard: its state, its settings, and the tools that need it. */
export function ShardPage(): VNode {
  const read = useApiRead("GET /admin/shardlink/config", {}, everyMs);
  return html`<p><a href="/console/servers">${words.gameServers.back}</a></p>
    <h1>${words.pages.shardLink}</h1>
    <${ReadStateView} read=${read}>
      ${(link: ShardLink) => html`<${Linked} link=${link} read=${read} />`}
    <//>`;
}

function Linked({
  link,
  read,
}: {
  readonly link: ShardLink;
  readonly read: ReadState<ShardLink>;
}): VNode {
  const { reload } = read;
  const onFirst = () => void reload();
  return html`<${LinkFacts} link=${link} />
    <${LinkAdvice} reason=${link.reason} advice=${listShardAdvice(link)} kind=${link.kind} />
    <${ShardTest} onLink=${read.set} />
    ${link.kind === "plugin" && html`<${ShardKey} link=${link} onChange=${reload} />`}
    <${ShardLiveEvents} link=${link} onFirst=${onFirst} />
    <h2>${words.gameServers.settings}</h2>
    <${ShardForm} link=${link} onLink=${read.set} />
    <${ShardTools} link=${link} />`;
}

function LinkFacts({ link }: { readonly link: ShardLink }): VNode {
  const { gameServers } = words;
  const { received = 0, stored = 0, rejected = 0, gaps = 0, owner = null } = link.stats;
  const counts = [received, stored, rejected, gaps].map(formatNumber);
  const [all = "", kept = "", refused = "", missed = ""] = counts;
  return html`<${DescriptionList}
    facts=${[
      [gameServers.kind, gameServers.kinds[link.kind]],
      [gameServers.link, html`<span role="status"><${LinkStatus} status=${link.status} /></span>`],
      [gameServers.bridge, describeHealth(link.health)],
      [gameServers.events, gameServers.eventCounts(all, kept, refused, missed)],
      [gameServers.reader, owner ?? words.none],
    ]}
  />`;
}

function describeHealth(health: ShardLink["health"] | null): string {
  const { gameServers } = words;
  if (health === null) return "–";
  if ("error" in health) return gameServers.noAnswer(health.error);
  if (!("protocol" in health)) return "–";
  const { protocol, uptimeSec, capabilities, pluginConnected } = health;
  const answer = gameServers.bridgeAnswer(protocol, formatDuration(uptimeSec), capabilities.length);
  const game = pluginConnected ? gameServers.running : gameServers.notRunning;
  return `${answer}; ${gameServers.game}: ${game}`;
}

/** Asks the game again and says whether the link works. */
function ShardTest({ onLink }: { readonly onLink: (link: ShardLink) => void }): VNode {
  const action = useAction();
  const [result, setResult] = useState<ShardLink | null>(null);
  const test = () =>
    action.run(async () => {
      const link = await callApi("GET /admin/shardlink/config", {});
      setResult(link);
      onLink(link);
    });
  return html`<div class="buttons">
      <button type="button" aria-disabled=${action.isRunning} onClick=${() => void test()}>
        ${action.isRunning ? words.actions.working : words.gameServers.test}
      </button>
    </div>
    <${ProblemView} problem=${action.problem} />
    ${
      result &&
      !action.isRunning &&
      html`<${LinkTestResult}
        isWorking=${result.status === "connected"}
        reason=${result.reason}
        advice=${listShardAdvice(result)}
      />`
    }`;
}

const createKey = () => callApi("POST /admin/shardlink/plugin-key", {});
const revokeKeys = async () => (await callApi("DELETE /admin/shardlink/plugin-key", {})).ended;

const ShardKey = ({
  link,
  onChange,
}: {
  readonly link: ShardLink;
  readonly onChange: () => Promise<void>;
}): VNode =>
  html`<${PluginKey}
    stored=${link}
    isShard
    create=${createKey}
    revoke=${revokeKeys}
    onChange=${onChange}
  />`;
