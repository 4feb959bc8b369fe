import type { VNode } from "preact";

import { type BodyOf, callApi } from "../../../api/call.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { FormButton } from "../../../parts/form-button.ts";
import { html } from "../../../parts/html.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";
import type { ServerList } from "../use-servers.ts";
import type { Grant } from "./grants.ts";
import { scopeSpecs } from "./group.ts";

const termSpecs = (servers: ServerList): readonly FieldSpec[] => {
  const { grants: text } = words.survival;
  return [
    ...scopeSpecs(servers.options),
    { name: "expiresAt", kind: "time", label: text.expires, hint: text.expiresHint },
    { name: "reason", kind: "text", label: text.reason, hint: text.reasonHint, isNullable: true },
  ];
};

const playerSpecs = (listId: string): readonly FieldSpec[] => {
  const { grants: text } = words.survival;
  const kinds = Object.entries(text.kinds).map(([value, label]) => ({ value, text: label }));
  return [
    { name: "kind", kind: "select", label: text.kind, options: kinds },
    {
      name: "value",
      kind: "text",
      label: text.value,
      hint: text.valueHint,
      input: { required: true, list: listId },
    },
    {
      name: "steamId",
      kind: "text",
      label: text.steamId,
      hint: text.steamIdHint,
      isNullable: true,
    },
    { name: "userId", kind: "number", label: text.userId, hint: text.userIdHint },
  ];
};

const fresh = { scope: { all: true, serverIds: [] } };

/** A button that opens the form for a new grant. */
export function NewGrant({
  servers,
  onGranted,
}: {
  readonly servers: ServerList;
  readonly onGranted: () => Promise<void>;
}): VNode {
  const { grants: text } = words.survival;
  const save = async (close: () => void, given: object) => {
    const { steamId, ...rest } = given as BodyOf<"POST /admin/survival/permissions/grants">;
    const body = { ...rest, ...(steamId && { steamId: steamId.trim() }) };
    await callApi("POST /admin/survival/permissions/grants", { body });
    close();
    await onGranted();
    return {};
  };
  return html`<p>
    <${FormButton} text=${text.grant} title=${text.grantTitle}>
      ${(close: () => void) =>
        html`<${KnownValues} id="grant-values" />
          <${EditForm}
            label=${text.grantTitle}
            send=${text.grant}
            stored=${fresh}
            specs=${[...playerSpecs("grant-values"), ...termSpecs(servers)]}
            isWhole
            save=${(body: object) => save(close, body)}
          />`}
    <//>
  </p>`;
}

/** Suggests the names of the groups and of the permissions that plugins have registered. */
function KnownValues({ id }: { readonly id: string }): VNode {
  const overview = useApiRead("GET /admin/survival/permissions", {});
  const catalog = useApiRead("GET /admin/survival/permissions/catalog", {});
  const names = [
    ...(overview.data?.groups.map(({ name }) => name) ?? []),
    ...(catalog.data?.permissions.map(({ name }) => name) ?? []),
  ];
  return html`<datalist id=${id}>
    ${names.map((name) => html`<option key=${name} value=${name}></option>`)}
  </datalist>`;
}

export interface GrantProps {
  readonly grant: Grant;
  readonly servers: ServerList;
  readonly onChanged: () => Promise<void>;
}

/** A button that opens the form for the servers, the expiry and the reason of a grant. */
export function ChangeGrantButton({ grant, servers, onChanged }: GrantProps): VNode {
  const { grants: text } = words.survival;
  const save = async (close: () => void, body: object, basis: Grant) => {
    const answer = await callApi("PUT /admin/survival/permissions/grants/{id}", {
      path: { id: grant.id },
      body: { ...body, basedOn: basis.revision },
    });
    close();
    await onChanged();
    return answer.grant;
  };
  const title = text.changeTitle(grant.value, grant.steamId);
  return html`<${FormButton} text=${text.change} title=${title}>
    ${(close: () => void) =>
      html`<${EditForm}
        label=${title}
        send=${words.actions.save}
        stored=${grant}
        specs=${termSpecs(servers)}
        save=${(body: object, basis: Grant) => save(close, body, basis)}
      />`}
  <//>`;
}
