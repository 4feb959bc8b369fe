import type { VNode } from "preact";

import type { AnswerOf } from "../../api/call.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Table } from "../../parts/table.ts";
import { words } from "../../words/words.ts";

export type SurvivalReport = AnswerOf<"GET /admin/survival/reports/{id}">["report"];

/** Returns the reported player. The generated type omits that `target` may be null. */
export const targetOf = ({
  target,
}: Pick<SurvivalReport, "target">): { readonly steamId: string; readonly name: string } | null =>
  Object.hasOwn(Object(target), "steamId")
    ? (target as { readonly steamId: string; readonly name: string })
    : null;

/** A list of reports of players. */
export function ReportTable({
  reports,
  none,
  label = words.pages.reports,
}: {
  readonly reports: readonly SurvivalReport[];
  readonly none: string;
  readonly label?: string;
}): VNode {
  return html`<${Table}
    label=${label}
    heads=${[
      words.reports.subject,
      words.reports.player,
      words.reports.reporter,
      words.reports.state,
      words.reports.server,
      words.reports.at,
    ]}
    rows=${reports.map((report) => ({
      key: report.id,
      cells: [
        html`<a href=${`/console/reports/${report.id}`}>${report.subject || words.reports.noSubject}</a>`,
        targetOf(report)?.name ?? words.reports.feedback,
        report.reporter.name,
        words.reports.states[report.state],
        report.server.name,
        formatTime(report.reportedAt),
      ],
    }))}
    none=${none}
  />`;
}
