import type { VNode } from "preact";

import type { AnswerOf } from "../../../api/call.ts";
import { formatNumber, formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { words } from "../../../words/words.ts";
import { ServerPageHeading } from "../heads.ts";
import { ConfigWrites } from "./writes.ts";

type Files = AnswerOf<"GET /admin/survival/config/{serverId}">;

/** The configuration files of a server's plugins, and the changes that were made to them. */
export function SurvivalConfig({ params: { id = "" } }: PageProps): VNode {
  const { config: text } = words.survival;
  const serverId = Number(id);
  const read = useApiRead("GET /admin/survival/config/{serverId}", { path: { serverId } });
  return html`<${ServerPageHeading} id=${id} title=${words.survival.serverTabs.config} />
    <${ReadStateView} read=${read}>
      ${({ files, online }: Files) =>
        online
          ? html`<${FileTable} serverId=${serverId} files=${files} />`
          : html`<p class="notice">${text.offline}</p>`}
    <//>
    <${ConfigWrites} serverId=${serverId} />`;
}

function FileTable({
  serverId,
  files,
}: {
  readonly serverId: number;
  readonly files: Files["files"];
}): VNode {
  const { config: text } = words.survival;
  const rows = files.map(
    ({ plugin, file, loaded, version, bytes, modifiedAt, editable, problem }) => ({
      key: file,
      cells: [
        editable
          ? html`<a href=${`/console/survival/servers/${serverId}/config/${encodeURIComponent(plugin)}`}>
            ${plugin}
          </a>`
          : plugin,
        html`<span class="code">${file}</span>`,
        loaded ? (version ?? words.yes) : text.notLoaded,
        formatNumber(bytes),
        formatTime(modifiedAt),
        problem === null ? "–" : text.problems[problem],
      ],
    }),
  );
  const heads = [
    text.plugin,
    text.file,
    text.loaded,
    { text: text.bytes, isNumber: true },
    text.modified,
    text.problem,
  ];
  return html`<${Table} label=${text.files} heads=${heads} rows=${rows} none=${text.noFiles} />`;
}
