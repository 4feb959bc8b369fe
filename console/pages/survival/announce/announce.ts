import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, type BodyOf, callApi } from "../../../api/call.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { html } from "../../../parts/html.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { Table } from "../../../parts/table.ts";
import { useCommand } from "../../../parts/use-command.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { useServers } from "../use-servers.ts";

type Results = AnswerOf<"POST /admin/survival/announce">["results"];

/** Shows a message in the chat of servers. */
export function SurvivalAnnounce(): VNode {
  const { announce: text } = words.survival;
  const { options, nameOf } = useServers();
  const command = useCommand();
  const [results, setResults] = useState<Results | null>(null);
  const specs: readonly FieldSpec[] = [
    {
      name: "message",
      kind: "area",
      label: text.message,
      input: { required: true, maxlength: 512 },
    },
    {
      name: "serverIds",
      kind: "choices",
      label: text.servers,
      hint: text.serversHint,
      options,
      isNumeric: true,
    },
  ];
  const save = async (given: object) => {
    const { message, serverIds = [] } = given as BodyOf<"POST /admin/survival/announce">;
    const body = { message, ...(serverIds.length > 0 && { serverIds }) };
    const answer = await command(body, (headers) =>
      callApi("POST /admin/survival/announce", { body, headers }),
    );
    setResults(answer.results);
    // The message can be sent again to the servers that did not get it.
    const missed = answer.results.filter(({ status }) => status === "offline");
    return missed.length > 0 ? { message, serverIds: missed.map(({ serverId }) => serverId) } : {};
  };
  const rows = results?.map(({ serverId, status }) => ({
    key: serverId,
    cells: [
      nameOf(serverId),
      html`<span class=${status === "sent" ? "good" : "bad"}>${text.states[status]}</span>`,
    ],
  }));
  return html`<${SitePageHeading} title=${words.survival.tabs.announce} />
    <${EditForm} label=${text.title} send=${text.send} stored=${{}} specs=${specs} isWhole save=${save} saved="" />
    <div role="status">
      ${rows && html`<${Table} label=${text.results} heads=${[text.server, text.state]} rows=${rows} />`}
    </div>`;
}
