import type { VNode } from "preact";

import { callApi } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";
import { pickChangedValues, useFormConflict } from "./form-base.ts";
import { LinkFields, type LinkKind } from "./link-fields.ts";
import { LinkForm } from "./link-form.ts";
import type { ShardLink } from "./link-status.ts";
import { readShardFields } from "./read-link.ts";

const kinds: readonly LinkKind[] = ["plugin", "sidecar", "status"];

const storedOf = (link: ShardLink) => {
  const { kind, enabled, baseUrl, wsUrl, hasToken, protocol, statusHost, statusPort } = link;
  return { kind, enabled, baseUrl, wsUrl, hasToken, protocol, statusHost, statusPort };
};

/** Changes the link to the shard. */
export function ShardForm({
  link,
  onLink,
}: {
  readonly link: ShardLink;
  readonly onLink: (link: ShardLink) => void;
}): VNode {
  const { gameServers } = words;
  const form = useFormConflict(storedOf(link), { ...gameServers, hasToken: gameServers.token });
  const { base, drawn, round, notice, onInput } = form;
  const save = async (values: FormData) => {
    const finish = form.startSaving();
    const now = await callApi("GET /admin/shardlink/config", {});
    onLink(now);
    if (form.isOvertaken(storedOf(now))) return false;
    const body = pickChangedValues(readShardFields(values), base);
    const saved = await callApi("PUT /admin/shardlink/config", { body });
    onLink(saved);
    finish(storedOf(saved));
    return true;
  };
  const isUsed = base.hasToken || link.hasKey || base.statusHost !== "" || base.baseUrl !== "";
  return html`<${LinkForm}
    kind=${base.kind}
    isUsed=${isUsed}
    save=${save}
    notice=${notice}
    onInput=${onInput}
  >
    ${(problem: Problem | null) =>
      html`<${LinkFields} key=${round} kinds=${kinds} values=${drawn} problem=${problem} />`}
  <//>`;
}
