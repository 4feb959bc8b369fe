import type { VNode } from "preact";

import { html } from "../../../parts/html.ts";
import { optionsOf } from "../../../parts/options.ts";
import { words } from "../../../words/words.ts";
import { listScopeServers } from "../scope.ts";
import type { ParamType } from "../types.ts";
import { DraftCheck, DraftField, DraftNumber, DraftSelect, FieldGroup } from "./draft-field.ts";
import { itemKeyOf, listAt, newItem, type DraftPath, textAt } from "./draft.ts";
import { useEditor } from "./editor.ts";
import { ListButtons } from "./list-buttons.ts";
import { isNumberType, parseList, parseValue, textOfValue } from "./values.ts";

const list = ["spec", "params"] as const;

/** The parameters of a run. The person who starts the run enters their values. */
export function RunParams(): VNode {
  const { editor } = useEditor();
  const { events } = words;
  const params = listAt(editor.draft, list);
  const add = () =>
    editor.change(list, [...params, newItem({ name: "", type: "string", required: false })]);
  return html`<${FieldGroup} at=${list} title=${events.params}>
    <p class="soft">${events.paramsHint}</p>
    ${params.map(
      (param, at) =>
        html`<${RunParam} key=${itemKeyOf(param, at)} at=${at} name=${textAt(param, ["name"])} />`,
    )}
    <div class="buttons">
      <button type="button" onClick=${add}>${events.addParam}</button>
    </div>
  <//>`;
}

function RunParam({ at, name }: { readonly at: number; readonly name: string }): VNode {
  const { editor, catalog } = useEditor();
  const { events } = words;
  const path: DraftPath = [...list, at];
  const type = (textAt(editor.draft, [...path, "type"]) || "string") as ParamType;
  const types = catalog.paramTypes.map((value) => ({
    value,
    text: events.paramTypes[value] ?? value,
  }));
  return html`<${FieldGroup} at=${path} title=${events.paramAt(at + 1)}>
    <${DraftField} at=${[...path, "name"]} label=${events.paramName} class="code" />
    <${DraftSelect} at=${[...path, "type"]} label=${events.type} options=${types} />
    ${
      type === "enum" &&
      html`<${DraftField}
      at=${[...path, "values"]}
      label=${events.values}
      hint=${events.listHint}
      write=${(text: string) => parseList("string", text)}
    />`
    }
    <${Standard} key=${`default-${type}`} path=${path} type=${type} />
    ${
      isNumberType(type) &&
      html`<${DraftNumber} at=${[...path, "min"]} label=${events.min} />
      <${DraftNumber} at=${[...path, "max"]} label=${events.max} />`
    }
    <${DraftField} at=${[...path, "description"]} label=${events.description} />
    <${DraftCheck} at=${[...path, "required"]} label=${events.required} />
    <${ListButtons} list=${list} at=${at} name=${name || events.paramAt(at + 1)} />
  <//>`;
}

/** The field for the default value of a parameter. */
function Standard({ path, type }: { readonly path: DraftPath; readonly type: ParamType }): VNode {
  const { editor, scopes } = useEditor();
  const { events } = words;
  const at = [...path, "default"];
  const write = (text: string) => parseValue(type, text);
  const options = {
    boolean: optionsOf({ true: words.yes, false: words.no }),
    enum: listAt(editor.draft, [...path, "values"]).map((one) => {
      const value = textOfValue(one);
      return { value, text: value };
    }),
    server: listScopeServers(scopes),
  }[type as string];
  if (options) {
    return html`<${DraftSelect}
      at=${at}
      label=${events.standard}
      options=${options}
      standard=${events.standardIs("")}
      onChoose=${(text: string) => editor.change(at, write(text))}
    />`;
  }
  const forms: Readonly<Record<string, string>> = events.paramForms;
  return html`<${DraftField} at=${at} label=${events.standard} hint=${forms[type]} write=${write} />`;
}
