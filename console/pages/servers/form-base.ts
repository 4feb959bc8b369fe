import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

import { html } from "../../parts/html.ts";
import { Table } from "../../parts/table.ts";
import { useUnsaved } from "../../shell/router.ts";
import { words } from "../../words/words.ts";

type Values = Readonly<Record<string, string | number | boolean>>;

/** The fields in which two versions differ. */
const differencesOf = (one: Values, other: Values): readonly string[] =>
  Object.keys(one).filter((field) => one[field] !== other[field]);

/** Returns the values to send: those that the person changed, because fields that are not sent keep their values. */
export const changedValues = <Sent extends object>(sent: Sent, base: Values): Partial<Sent> =>
  Object.fromEntries(
    Object.entries(sent).filter(([field, value]) => value !== (base[field] ?? "")),
  ) as Partial<Sent>;

export interface FormBase<Stored extends Values> {
  /** The values with which the form was opened. */
  readonly base: Stored;
  /** Changes when the form must show other values. */
  readonly round: number;
  /** True if somebody else has changed a value, and the person has not decided yet. */
  readonly isOvertaken: (now?: Stored) => boolean;
  readonly onInput: () => void;
  /** Shows these values, and forgets what was typed. */
  readonly show: (stored: Stored) => void;
  readonly notice: VNode | null;
}

/**
 * Notices that somebody else changed the stored values while a form is open. A form without typed texts shows the new
 * values; otherwise, the person decides.
 * @param labels the names of the fields for people
 */
export function useFormBase<Stored extends Values>(
  stored: Stored,
  labels: Readonly<Record<keyof Stored, string>>,
): FormBase<Stored> {
  const [{ base, seen, round }, setState] = useState({ base: stored, seen: stored, round: 0 });
  const [isDirty, setDirty] = useState(false);
  useUnsaved(isDirty);
  const show = (now: Stored) => {
    setDirty(false);
    setState((was) => ({ base: now, seen: now, round: was.round + 1 }));
  };
  const changed = differencesOf(stored, seen);
  useEffect(() => {
    if (changed.length > 0 && !isDirty) show(stored);
  });
  const keep = () => setState((was) => ({ ...was, seen: stored }));
  const notice =
    changed.length > 0 && isDirty
      ? html`<div class="notice bad" role="alert">
          <p>${words.gameServers.overtaken} ${words.gameServers.overtakenHint}</p>
          <${Table}
            label=${words.gameServers.overtaken}
            heads=${[words.gameServers.field, words.gameServers.before, words.gameServers.now]}
            rows=${changed.map((field) => ({
              key: field,
              cells: [labels[field], textOf(seen[field]), textOf(stored[field])],
            }))}
            none=${words.none}
          />
          <div class="buttons">
            <button type="button" onClick=${() => show(stored)}>
              ${words.gameServers.takeStored}
            </button>
            <button type="button" onClick=${keep}>${words.gameServers.keepMine}</button>
          </div>
        </div>`
      : null;
  const isOvertaken = (now: Stored = stored) => differencesOf(now, seen).length > 0;
  return { base, round, isOvertaken, onInput: () => setDirty(true), show, notice };
}

function textOf(value: Values[string] | undefined): string {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  return String(value ?? "");
}
