import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { EditForm } from "../../../parts/edit-form.ts";
import { html } from "../../../parts/html.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { words } from "../../../words/words.ts";
import type { Server } from "../use-servers.ts";
import { saveServer } from "./save-server.ts";

const optionsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, text]) => ({ value, text }));

/** Returns the fields that a wipe rule has in addition to the field of the rule itself. */
const fieldsOf = (rule: string): readonly FieldSpec[] => {
  const { schedule: text } = words.survival;
  const zone: FieldSpec = {
    name: "wipeTimezone",
    kind: "text",
    label: text.timeZone,
    hint: text.timeZoneHint,
    isNullable: true,
    input: { placeholder: "Europe/London" },
  };
  const once: FieldSpec = { name: "wipeAt", kind: "time", label: text.at, hint: text.atHint };
  if (rule === "") return [];
  if (rule === "once") return [{ ...once, hint: "" }];
  if (rule === "cron") {
    return [
      { name: "wipeCron", kind: "text", label: text.cron, hint: text.cronHint, isNullable: true },
      zone,
      once,
    ];
  }
  return [
    {
      name: "wipeDay",
      kind: "select",
      label: text.day,
      isNumeric: true,
      options: optionsOf(text.days),
    },
    { name: "wipeTime", kind: "text", label: text.time, input: { type: "time" }, isNullable: true },
    zone,
    once,
  ];
};

/** When the site expects the next wipes. The rule decides which fields there are. */
export function WipeSchedule({ server }: { readonly server: Server }): VNode {
  const { schedule: text } = words.survival;
  const [rule, setRule] = useState<string>(server.wipeRule ?? "");
  const specs: readonly FieldSpec[] = [
    {
      name: "wipeRule",
      kind: "select",
      label: text.rule,
      isNullable: true,
      options: optionsOf(text.rules),
      onChange: setRule,
    },
    ...fieldsOf(rule),
  ];
  return html`<h2>${text.title}</h2>
    <p class="soft">${text.hint}</p>
    <${EditForm}
      label=${text.title}
      send=${text.save}
      stored=${server}
      specs=${specs}
      isWhole
      onShown=${({ wipeRule }: Server) => setRule(wipeRule ?? "")}
      save=${saveServer}
    />`;
}
