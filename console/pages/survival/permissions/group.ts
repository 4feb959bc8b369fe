import type { VNode } from "preact";

import { type AnswerOf, type BodyOf, callApi } from "../../../api/call.ts";
import { ConfirmButton } from "../../../parts/ask-button.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import type { Option } from "../../../parts/options.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { reloadOnFailure } from "../../../parts/use-action.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { useNavigate } from "../../../shell/router.ts";
import { useAccessCheck } from "../../../shell/session.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { useServers } from "../use-servers.ts";
import { describeScope } from "./overview.ts";

type Overview = AnswerOf<"GET /admin/survival/permissions">;
export type Group = Overview["groups"][number];

const listAddress = "/console/survival/permissions";

/** The fields by which the servers of a group or a grant are chosen. */
export const scopeSpecs = (servers: readonly Option[]): readonly FieldSpec[] => {
  const { permissions: text } = words.survival;
  return [
    { name: "scope.all", kind: "check", label: text.onAllServers, hint: text.onAllServersHint },
    {
      name: "scope.serverIds",
      kind: "choices",
      label: text.onServers,
      options: servers,
      isNumeric: true,
    },
  ];
};

const groupSpecs = (
  group: Partial<Group>,
  names: readonly string[],
  servers: readonly Option[],
): readonly FieldSpec[] => {
  const { permissions: text } = words.survival;
  const parents = names.filter((name) => name !== group.name);
  const nodes: FieldSpec = {
    name: "permissions",
    kind: "lines",
    label: text.nodes,
    hint: text.nodesHint,
  };
  // The name, title, rank and parent of the game's own groups cannot be changed.
  if (group.protected) return [nodes, ...scopeSpecs(servers)];
  return [
    {
      name: "name",
      kind: "text",
      label: text.name,
      hint: text.nameHint,
      input: { required: true },
    },
    { name: "title", kind: "text", label: text.title },
    { name: "rank", kind: "number", label: text.rank, hint: text.rankHint, input: { step: 1 } },
    {
      name: "parent",
      kind: "select",
      label: text.parent,
      hint: text.parentHint,
      isNullable: true,
      options: parents.map((name) => ({ value: name, text: name })),
    },
    nodes,
    ...scopeSpecs(servers),
  ];
};

/** One permission group, or a new one. */
export function SurvivalGroup({ params: { id = "" } }: PageProps): VNode {
  const { permissions: text } = words.survival;
  const read = useApiRead("GET /admin/survival/permissions", {});
  const may = useAccessCheck();
  return html`<${SitePageHeading} title=${id === "new" ? text.newGroup : text.group} />
    <p><a href=${listAddress}>${text.backToGroups}</a></p>
    <${ReadStateView} read=${read}>
      ${({ groups }: Overview) => {
        const group = groups.find((one) => String(one.id) === id);
        if (!group && id !== "new") return html`<p class="notice bad">${text.noSuchGroup}</p>`;
        if (!may("PUT /admin/survival/permissions/groups/{id}")) {
          return group && html`<${GroupView} group=${group} />`;
        }
        const names = groups.map(({ name }) => name);
        return html`<${GroupForm} group=${group} names=${names} reload=${read.reload} />
          ${
            group &&
            !group.protected &&
            html`<${DeleteGroup} group=${group} reload=${read.reload} />`
          }`;
      }}
    <//>`;
}

const newGroup: Partial<Group> = {
  rank: 0,
  permissions: [],
  scope: { all: true, serverIds: [] },
};

function GroupForm({
  group,
  names,
  reload,
}: {
  readonly group: Group | undefined;
  readonly names: readonly string[];
  readonly reload: () => Promise<void>;
}): VNode {
  const { permissions: text } = words.survival;
  const { options } = useServers();
  const save = async (body: object, basis: Partial<Group>): Promise<Partial<Group>> => {
    if (!group) {
      const created = body as BodyOf<"POST /admin/survival/permissions/groups">;
      return (await callApi("POST /admin/survival/permissions/groups", { body: created })).group;
    }
    const answer = await callApi("PUT /admin/survival/permissions/groups/{id}", {
      path: { id: group.id },
      body: { ...body, ...(basis.revision && { basedOn: basis.revision }) },
    });
    return answer.group;
  };
  const onSaved = () => {
    if (!group) return listAddress;
    // Read the group again, because its deletion requires the new revision.
    void reload();
    return undefined;
  };
  return html`${group?.protected && html`<p class="notice">${text.protectedHint}</p>`}
    ${
      group &&
      html`<p class="soft">${text.changed(formatTime(group.updatedAt), group.updatedBy)}</p>`
    }
    <${EditForm}
      label=${text.group}
      send=${group ? words.actions.save : text.create}
      stored=${group ?? newGroup}
      specs=${groupSpecs(group ?? {}, names, options)}
      isWhole=${!group}
      save=${save}
      onSaved=${onSaved}
    />`;
}

function DeleteGroup({
  group,
  reload,
}: {
  readonly group: Group;
  readonly reload: () => Promise<void>;
}): VNode {
  const { permissions: text } = words.survival;
  const open = useNavigate();
  const remove = async () => {
    await reloadOnFailure(reload, () =>
      callApi("DELETE /admin/survival/permissions/groups/{id}", {
        path: { id: group.id },
        body: { basedOn: group.revision },
      }),
    );
    open(listAddress);
  };
  return html`<h2>${text.delete}</h2>
    <${ConfirmButton}
      text=${text.delete}
      title=${text.deleteTitle(group.name)}
      question=${text.deleteQuestion(group.memberCount)}
      confirm=${text.delete}
      onConfirm=${remove}
      danger
    />`;
}

/** A group for those who may only read it. */
function GroupView({ group }: { readonly group: Group }): VNode {
  const { permissions: text } = words.survival;
  const servers = useServers();
  return html`<dl>
    <dt>${text.name}</dt>
    <dd>${group.name}</dd>
    <dt>${text.title}</dt>
    <dd>${group.title || "–"}</dd>
    <dt>${text.parent}</dt>
    <dd>${group.parent ?? "–"}</dd>
    <dt>${text.nodes}</dt>
    <dd>${group.permissions.join(", ") || "–"}</dd>
    <dt>${text.scope}</dt>
    <dd>${describeScope(group.scope, servers)}</dd>
  </dl>`;
}
