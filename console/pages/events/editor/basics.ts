import type { VNode } from "preact";

import { html } from "../../../parts/html.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";
import { DraftCheck, DraftField, DraftNumber, DraftSelect, FieldGroup } from "./draft-field.ts";
import { textAt } from "./draft.ts";
import { useEditor } from "./editor.ts";

const keepEmpty = (text: string) => text;
const orNull = (text: string) => text || null;

/** The title and the texts that announce an event. */
export function AnnouncementFields(): VNode {
  const { events } = words;
  return html`<${FieldGroup} at=${["announcement"]} title=${events.announcement}>
    <${DraftField} at=${["title"]} label=${events.title} write=${keepEmpty} />
    <${DraftCheck} at=${["spec", "listed"]} label=${events.listed} hint=${events.listedHint} />
    <${DraftField} at=${["summary"]} label=${events.summary} write=${keepEmpty} />
    <${DraftField}
      as="textarea"
      at=${["body"]}
      label=${events.body}
      hint=${events.bodyHint}
      write=${keepEmpty}
    />
    <${DraftField} at=${["imageUrl"]} label=${events.image} write=${orNull} inputmode="url" />
    <${DraftField} at=${["slug"]} label=${events.slug} hint=${events.slugHint} />
  <//>`;
}

/** Where an event takes place, and with which other events it belongs. */
export function ScopeAndSeriesFields(): VNode {
  const { editor, scopes } = useEditor();
  const series = useApiRead("GET /admin/events/series", {});
  const { events } = words;
  const choices = series.data?.series.map(({ id, name }) => ({ value: String(id), text: name }));
  return html`<${FieldGroup} at=${["setting"]} title=${events.setting}>
    <${DraftSelect}
      at=${["spec", "scope"]}
      label=${events.scope}
      hint=${events.scopeHint}
      options=${scopes}
    />
    <${DraftSelect}
      at=${["seriesId"]}
      label=${events.series}
      options=${choices ?? []}
      standard=${events.noSeries}
      onChoose=${(id: string) => editor.change(["seriesId"], id === "" ? null : Number(id))}
    />
    <${DraftNumber} at=${["seriesOrder"]} label=${events.seriesOrder} />
    <${DraftField}
      at=${["concurrencyKey"]}
      label=${events.concurrencyKey}
      hint=${events.concurrencyHint}
      write=${orNull}
    />
    <${DraftNumber} at=${["graceSeconds"]} label=${events.grace} hint=${events.graceHint} />
  <//>`;
}

/** The time zone of the schedule, with the names that the browser knows. */
export function TimeZoneField(): VNode {
  const { editor } = useEditor();
  const zones = Intl.supportedValuesOf("timeZone");
  return html`<${DraftField}
      at=${["timezone"]}
      label=${words.events.timezone}
      write=${keepEmpty}
      list="time-zones"
      key=${`zone-${editor.generation}`}
    />
    <datalist id="time-zones">
      ${["UTC", ...zones].map((zone) => html`<option key=${zone} value=${zone} />`)}
    </datalist>`;
}

/** Returns the time zone of the draft; UTC if the browser does not know it. */
export function readDraftTimeZone(draft: unknown): string {
  const zone = textAt(draft, ["timezone"]);
  try {
    Intl.DateTimeFormat("en", { timeZone: zone }).format();
    return zone;
  } catch {
    return "UTC";
  }
}
