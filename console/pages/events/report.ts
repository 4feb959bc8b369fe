import type { VNode } from "preact";

import { formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";
import type { DryRunReport } from "./types.ts";

/** The result of a dry run. The form shows its findings at their fields. */
export function ReportView({ report }: { readonly report: DryRunReport }): VNode {
  const { events } = words;
  const spent = Object.entries(report.worstCase);
  return html`<section
    class=${report.ok ? "notice good" : "notice bad"}
    role="status"
    aria-label=${events.report}
  >
    <p>${report.ok ? events.reportGood : events.reportBad}</p>
    ${
      spent.length > 0 &&
      html`<p>${events.worstCase}</p>
      <dl>
        ${spent.map(([dimension, most = 0]) => [
          html`<dt key=${dimension}>${dimension}</dt>`,
          html`<dd key=${`${dimension}-most`}>${formatNumber(most)}</dd>`,
        ])}
      </dl>`
    }
  </section>`;
}
