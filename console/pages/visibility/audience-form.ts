import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import { changesOf } from "../../parts/changes.ts";
import { Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { useAction } from "../../parts/use-action.ts";
import { useSaveState } from "../../parts/use-saves.ts";
import { VersionConflict } from "../../parts/versions.ts";
import { words } from "../../words/words.ts";

/** Values by the name of their field, such as `market.audience`. */
export type AudienceValues = Readonly<Record<string, string | boolean>>;

/** One value with the text that names it. */
export interface AudienceFieldSpec {
  readonly name: string;
  readonly label: string;
  readonly show: (value: string | boolean) => string;
}

interface Revised {
  readonly revision: string;
}

export interface AudienceFormProps<Config extends Revised> {
  readonly label: string;
  readonly config: Config;
  readonly toFlat: (config: Config) => AudienceValues;
  /** All values in the order in which two versions are compared. */
  readonly entries: (config: Config) => readonly AudienceFieldSpec[];
  readonly fields: (config: Config) => ComponentChildren;
  readonly save: (changes: AudienceValues, basedOn: string) => Promise<Config>;
}

/**
 * A form for a configuration with audiences. It sends only the values that the person changed. If another
 * administrator saved meanwhile, both versions are shown, and the choices stay in the form.
 */
export function AudienceForm<Config extends Revised>(props: AudienceFormProps<Config>): VNode {
  const { label, fields, toFlat } = props;
  const action = useAction();
  const [base, setBase] = useState(props.config);
  const [basedOn, setBasedOn] = useState(props.config.revision);
  const [mine, setMine] = useState<AudienceValues>({});
  const saves = useSaveState();
  const take = (config: Config) => {
    setBase(config);
    setBasedOn(config.revision);
  };
  const onSend = async (values: FormData) => {
    const before = toFlat(base);
    const changes = changesOf(before, readFlat(values, before)) as AudienceValues;
    setMine(changes);
    await saves.send(async () => take(await props.save(changes, basedOn)));
  };
  const conflict =
    action.problem?.code === "stale_revision" ? (action.problem.current as Config) : null;
  return html`${saves.isSaved && html`<p class="notice good" role="status">${words.visibility.saved}</p>`}
    <div class="wide" onChange=${saves.mark}>
      <${Form} action=${action} onSend=${onSend} send=${words.actions.save} label=${label}>
        <div class="stack" key=${saves.count}>${fields(base)}</div>
      <//>
    </div>
    ${
      conflict &&
      html`<${VersionConflict}
      mine=${describe(props.entries(conflict), { ...toFlat(conflict), ...mine })}
      stored=${describe(props.entries(conflict), toFlat(conflict))}
      onTakeStored=${() => {
        take(conflict);
        saves.discard();
        action.clear();
      }}
      onKeepMine=${() => {
        setBasedOn(conflict.revision);
        action.clear();
      }}
    />`
    }`;
}

/** Returns the chosen values. A box that is not ticked is absent from the values of a form. */
const readFlat = (values: FormData, before: AudienceValues): AudienceValues =>
  Object.fromEntries(
    Object.entries(before).map(([name, value]) => [
      name,
      typeof value === "boolean" ? values.get(name) === "on" : readTextField(values, name) || value,
    ]),
  );

const describe = (entries: readonly AudienceFieldSpec[], flat: AudienceValues): string =>
  entries.map(({ name, label, show }) => `${label}: ${show(flat[name] ?? "")}`).join("\n");
