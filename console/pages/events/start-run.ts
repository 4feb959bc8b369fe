import type { VNode } from "preact";

import { type BodyOf, callApi } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import { FormDialogButton } from "../../parts/ask-form.ts";
import { Field, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { type Option, Options, optionsOf } from "../../parts/options.ts";
import { useNavigate } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { parseValue, textOfValue } from "./editor/values.ts";
import { listScopeServers, useScopes } from "./scope.ts";
import type { Definition } from "./types.ts";

type Param = NonNullable<Definition["spec"]["params"]>[number];

/** Starts a run of the published version now or at a time, and opens its page. */
export function StartRunForm({ event }: { readonly event: Definition }): VNode {
  const { events } = words;
  const params = event.spec.params ?? [];
  const open = useNavigate();
  const start = async (values: FormData) => {
    const body = readBody(values, params, event.currentVersionRevision);
    const answer = await callApi("POST /admin/events/{id}/runs", { path: { id: event.id }, body });
    open(`/console/runs/${answer.run.id}`);
  };
  const isOlder = event.revision !== event.currentVersionRevision;
  return html`<${FormDialogButton}
    text=${events.startRun}
    title=${events.startRun}
    question=${isOlder ? events.startsOlder(event.currentVersion ?? 0) : events.startQuestion}
    confirm=${events.start}
    onConfirm=${start}
  >
    ${(problem: Problem | null) =>
      html`<${Field}
          type="datetime-local"
          label=${events.startAt}
          name="scheduledFor"
          hint=${events.startAtHint}
          problem=${problem}
        />
        <${Field} type="checkbox" label=${events.rehearsal} name="rehearsal" />
        ${params.map(
          (param) => html`<${ParamField} key=${param.name} param=${param} problem=${problem} />`,
        )}`}
  <//>`;
}

function ParamField({
  param,
  problem,
}: {
  readonly param: Param;
  readonly problem: Problem | null;
}): VNode {
  const { events } = words;
  const name = `params.${param.name}`;
  const label = param.required ? param.name : events.optional(param.name);
  const hint = param.description ?? "";
  const value = textOfValue(param.default);
  const options = useOptions(param, value);
  if (!options) {
    const forms: Readonly<Record<string, string>> = events.paramForms;
    const texts = [hint, forms[param.type] ?? ""].filter(Boolean).join(" ");
    return html`<${Field} ...${{ label, name, hint: texts, problem }} defaultValue=${value} />`;
  }
  return html`<${Field} as="select" ...${{ label, name, hint, problem }}>
    ${(!param.required || value === "") && html`<option value=""></option>`}
    <${Options} options=${options} chosen=${value} />
  <//>`;
}

/** Returns the values to choose from with the default value; null for a parameter whose value is typed. */
function useOptions({ type, values }: Param, standard: string): readonly Option[] | null {
  const scopes = useScopes(type === "server");
  if (type === "boolean") return optionsOf({ true: words.yes, false: words.no });
  if (type !== "server") return values?.map((value) => ({ value, text: value })) ?? null;
  const servers = listScopeServers(scopes);
  // The options may lack the default: it can be a server's slug, and the servers may not have been read
  // yet.
  const isListed = standard === "" || servers.some(({ value }) => value === standard);
  return isListed ? servers : [{ value: standard, text: standard }, ...servers];
}

function readBody(
  values: FormData,
  params: readonly Param[],
  basedOn: number | null,
): BodyOf<"POST /admin/events/{id}/runs"> {
  const at = readTextField(values, "scheduledFor");
  const given = params.map(({ name, type }): [string, unknown] => [
    name,
    parseValue(type, readTextField(values, `params.${name}`)),
  ]);
  return {
    ...(at && { scheduledFor: new Date(at).toISOString() }),
    ...(values.has("rehearsal") && { rehearsal: true }),
    params: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(basedOn !== null && { basedOn }),
  };
}
