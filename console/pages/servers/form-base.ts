import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "../../parts/html.ts";
import { type TableRow, Table } from "../../parts/table.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";

type Values = Readonly<Record<string, string | number | boolean>>;

/** The fields in which two versions differ. */
const differencesOf = (one: Values, other: Values): readonly string[] =>
  Object.keys(one).filter((field) => one[field] !== other[field]);

/** Returns the values to send: those that the person changed, because fields that are not sent keep their values. */
export const pickChangedValues = <Sent extends object>(sent: Sent, base: Values): Partial<Sent> =>
  Object.fromEntries(
    Object.entries(sent).filter(([field, value]) => value !== (base[field] ?? "")),
  ) as Partial<Sent>;

export interface FormConflictState<Stored extends Values> {
  /** The stored values on which a change is based. */
  readonly base: Stored;
  /** The values that the fields show at first. */
  readonly drawn: Stored;
  /** Changes when the form must show other values. */
  readonly round: number;
  /** True if somebody else has changed a value, and the person has not decided yet. */
  readonly isOvertaken: (now?: Stored) => boolean;
  readonly onInput: () => void;
  /**
   * Called before a request.
   * @returns a function that takes the saved values. It shows them, unless the person typed while the request ran
   */
  readonly startSaving: () => (saved: Stored) => void;
  readonly notice: VNode | null;
}

/**
 * Notices that somebody else changed the stored values while a form is open. A form without typed texts shows the new
 * values; otherwise, the person decides.
 * @param labels the names of the fields for people
 */
export function useFormConflict<Stored extends Values>(
  stored: Stored,
  labels: Readonly<Record<keyof Stored, string>>,
): FormConflictState<Stored> {
  const [state, setState] = useState({ base: stored, drawn: stored, seen: stored, round: 0 });
  const { base, drawn, seen, round } = state;
  const [isDirty, setDirty] = useState(false);
  const inputs = useRef(0);
  useUnsavedWarning(isDirty);
  const show = (now: Stored) => {
    setDirty(false);
    setState((was) => ({ base: now, drawn: now, seen: now, round: was.round + 1 }));
  };
  const startSaving = () => {
    const before = inputs.current;
    return (saved: Stored) =>
      inputs.current === before
        ? show(saved)
        : setState((was) => ({ ...was, base: saved, seen: saved }));
  };
  const onInput = () => {
    inputs.current += 1;
    setDirty(true);
  };
  const changed = differencesOf(stored, seen);
  useEffect(() => {
    if (changed.length > 0 && !isDirty) show(stored);
  });
  const keep = () => setState((was) => ({ ...was, seen: stored }));
  const notice =
    changed.length > 0 && isDirty
      ? html`<${OvertakenNotice}
          rows=${changed.map((field) => ({
            key: field,
            cells: [labels[field], textOf(seen[field]), textOf(stored[field])],
          }))}
          onTakeStored=${() => show(stored)}
          onKeepMine=${keep}
        />`
      : null;
  const isOvertaken = (now: Stored = stored) => differencesOf(now, seen).length > 0;
  return { base, drawn, round, isOvertaken, onInput, startSaving, notice };
}

/** Shows the values that somebody else has changed, and asks which to store. */
function OvertakenNotice({
  rows,
  onTakeStored,
  onKeepMine,
}: {
  readonly rows: readonly TableRow[];
  readonly onTakeStored: () => void;
  readonly onKeepMine: () => void;
}): VNode {
  const { gameServers } = words;
  return html`<div class="notice bad" role="alert">
    <p>${gameServers.overtaken} ${gameServers.overtakenHint}</p>
    <${Table}
      label=${gameServers.overtaken}
      heads=${[gameServers.field, gameServers.before, gameServers.now]}
      rows=${rows}
    />
    <div class="buttons">
      <button type="button" onClick=${onTakeStored}>${gameServers.takeStored}</button>
      <button type="button" onClick=${onKeepMine}>${gameServers.keepMine}</button>
    </div>
  </div>`;
}

function textOf(value: Values[string] | undefined): string {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  return String(value ?? "");
}
