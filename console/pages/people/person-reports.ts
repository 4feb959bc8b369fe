import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { ReportTable } from "../reports/report-table.ts";
import type { PersonProps } from "./person.ts";

/** The reports of players about the Steam accounts of the person. */
export function PersonReports({ person: { id } }: PersonProps): VNode {
  const read = useApiRead("GET /admin/users/{id}/survival/reports", { path: { id } });
  return html`<h2>${words.reports.about}</h2>
    <${ReadStateView} read=${read}>
      ${({ count, newest }: AnswerOf<"GET /admin/users/{id}/survival/reports">) =>
        html`<p>${words.reports.aboutCount(count)}</p>
          <${ReportTable} reports=${newest} none=${words.reports.noneAbout} />`}
    <//>`;
}
