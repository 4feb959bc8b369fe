import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";

import { Field } from "../../../parts/form.ts";
import { html } from "../../../parts/html.ts";
import { language, words } from "../../../words/words.ts";
import { TimeZoneField, readDraftTimeZone } from "./basics.ts";
import { DraftField, DraftSelect, FieldGroup } from "./draft-field.ts";
import { textAt, valueAt } from "./draft.ts";
import { useEditor } from "./editor.ts";
import { computeNextTimes, parseRecurrenceRule, readCurrentWallTime } from "./next-times.ts";

const at = ["spec", "schedule"] as const;

/** When an event takes place, with its next dates. */
export function Schedule(): VNode {
  const { editor, catalog } = useEditor();
  const { events } = words;
  const kind = textAt(editor.draft, [...at, "kind"]) || "manual";
  // Keep the fields of each kind of schedule, so that they return if the person chooses that kind again.
  const left = useRef<Readonly<Record<string, unknown>>>({});
  const choose = (next: string) => {
    left.current = { ...left.current, ...(Object(valueAt(editor.draft, at)) as object) };
    const { at: first, rrule = "FREQ=WEEKLY", until } = left.current;
    editor.change(at, {
      kind: next,
      ...(next !== "manual" && { at: first }),
      ...(next === "recurring" && { rrule, until }),
    });
  };
  const kinds = catalog.scheduleKinds.map((value) => ({
    value,
    text: events.scheduleKinds[value] ?? value,
  }));
  return html`<${FieldGroup} at=${at} title=${events.schedule}>
    <${DraftSelect}
      at=${[...at, "kind"]}
      label=${events.takesPlace}
      options=${kinds}
      onChoose=${choose}
    />
    <${TimeZoneField} />
    ${
      kind !== "manual" &&
      html`<${DraftField}
      key=${`at-${kind}`}
      at=${[...at, "at"]}
      label=${kind === "once" ? events.at : events.firstAt}
      type="datetime-local"
    />`
    }
    ${kind === "recurring" && html`<${Recurrence} />`}
    ${kind !== "manual" && html`<${NextDates} />`}
  <//>`;
}

function Recurrence(): VNode {
  const { editor } = useEditor();
  const { events } = words;
  // The field is drawn anew when a choice writes the rule.
  const [writes, setWrites] = useState(0);
  const write = (rule: string) => {
    editor.change([...at, "rrule"], rule);
    setWrites((count) => count + 1);
  };
  return html`<${RuleChoices} onChoose=${write} />
    <${DraftField}
      key=${`rule-${writes}`}
      at=${[...at, "rrule"]}
      label=${events.rule}
      hint=${events.ruleHint}
      class="code"
    />
    <${DraftField} at=${[...at, "until"]} label=${events.until} type="datetime-local" />`;
}

const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** Returns the name of a weekday in the person's language. 5 January 1970 was a Monday. */
const weekdayName = (index: number): string =>
  new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(
    Date.UTC(1970, 0, 5 + index),
  );

/** Writes frequent rules: a frequency, and the days of a week. */
function RuleChoices({ onChoose }: { readonly onChoose: (rule: string) => void }): VNode {
  const { editor } = useEditor();
  const { events } = words;
  const parts =
    parseRecurrenceRule(textAt(editor.draft, [...at, "rrule"])) ?? new Map<string, string>();
  const frequency = parts.get("FREQ") ?? "";
  const days = (parts.get("BYDAY") ?? "").split(",").filter(Boolean);
  const toggle = (day: string) => {
    const next = days.includes(day) ? days.filter((one) => one !== day) : [...days, day];
    const others = [...parts].filter(([name]) => name !== "BYDAY");
    const ordered = weekdays.filter((one) => next.includes(one));
    const given = ordered.length > 0 ? [["BYDAY", ordered.join(",")]] : [];
    onChoose([...others, ...given].map(([name, value]) => `${name}=${value}`).join(";"));
  };
  return html`<${Field}
      as="select"
      label=${events.frequency}
      name="frequency"
      onChange=${(event: Event) =>
        onChoose(`FREQ=${(event.currentTarget as HTMLSelectElement).value}`)}
    >
      ${Object.entries(events.frequencies).map(
        ([value, text]) =>
          html`<option key=${value} value=${value} selected=${value === frequency}>${text}</option>`,
      )}
    <//>
    ${
      frequency === "WEEKLY" &&
      html`<fieldset class="choices">
      <legend>${events.onDays}</legend>
      ${weekdays.map(
        (day, index) =>
          html`<label key=${day}>
            <input
              type="checkbox"
              checked=${days.includes(day)}
              onChange=${() => toggle(day)}
            />
            ${weekdayName(index)}
          </label>`,
      )}
    </fieldset>`
    }`;
}

const shown = 5;

/** The next times of the draft's schedule, as a clock in its time zone shows them. */
function NextDates(): VNode {
  const { editor } = useEditor();
  const { events } = words;
  const zone = readDraftTimeZone(editor.draft);
  if (textAt(editor.draft, [...at, "at"]) === "") {
    return html`<p class="soft" role="status">${events.noFirstDate}</p>`;
  }
  const times = computeNextTimes(
    Object(valueAt(editor.draft, at)) as object,
    readCurrentWallTime(zone),
    shown,
  );
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "full",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return html`<div role="status">
    <p>${events.nextDates(zone)}</p>
    ${times === null && html`<p class="soft">${events.datesUnknown}</p>`}
    ${times?.length === 0 && html`<p class="warn">${events.noDates}</p>`}
    <ul>
      ${times?.map((wall) => html`<li key=${wall}>${format.format(wall)}</li>`)}
    </ul>
  </div>`;
}
