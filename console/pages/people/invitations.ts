import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { readOffset, Pager } from "../../parts/pager.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useLocation } from "../../shell/router.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { InviteForm } from "./invite-form.ts";
import { PeopleTabs } from "./people-tabs.ts";

/** The number of invitations that are drawn at once. The service sends up to 500 in one answer. */
const limit = 50;

type Invite = AnswerOf<"GET /admin/invites">["invites"][number];

/** The invitations of the site, and a form for a new one. */
export function Invitations(): VNode {
  const read = useApiRead("GET /admin/invites", {});
  const may = useAccessCheck();
  const offset = readOffset(useLocation().query);
  return html`<h1>${words.pages.invitations}</h1>
    <${PeopleTabs} />
    ${may("POST /admin/invites") && html`<${InviteForm} onInvited=${read.reload} />`}
    <h2>${words.invitations.list}</h2>
    <${ReadStateView} read=${read}>
      ${({ invites }: AnswerOf<"GET /admin/invites">) =>
        html`<${Table}
            label=${words.pages.invitations}
            heads=${[
              words.invitations.created,
              words.people.role,
              words.people.email,
              words.people.state,
              words.invitations.by,
              words.invitations.change,
            ]}
            rows=${invites
              .slice(offset, offset + limit)
              .map((invite) => rowOf(invite, read.reload))}
            none=${words.invitations.nobody}
          />
          <${Pager} total=${invites.length} limit=${limit} offset=${offset} />`}
    <//>`;
}

const rowOf = (invite: Invite, reload: () => Promise<void>) => ({
  key: invite.id,
  cells: [
    formatTime(invite.createdAt),
    words.roles[invite.role],
    invite.email ?? "–",
    stateOf(invite),
    invite.createdBy === null
      ? "–"
      : html`<a href=${`/console/people/${invite.createdBy}`}>${`#${invite.createdBy}`}</a>`,
    isOpen(invite) ? html`<${RevokeButton} invite=${invite} reload=${reload} />` : "",
  ],
});

const hasExpired = ({ expiresAt }: Invite): boolean => Date.parse(expiresAt) <= Date.now();

const isOpen = (invite: Invite): boolean =>
  invite.acceptedAt === null && invite.revokedAt === null && !hasExpired(invite);

function stateOf(invite: Invite): string {
  const { accepted, revoked, expired, open } = words.invitations.states;
  if (invite.acceptedAt !== null) return accepted(formatTime(invite.acceptedAt));
  if (invite.revokedAt !== null) return revoked(formatTime(invite.revokedAt));
  return (hasExpired(invite) ? expired : open)(formatTime(invite.expiresAt));
}

function RevokeButton({
  invite: { id, role },
  reload,
}: {
  readonly invite: Invite;
  readonly reload: () => Promise<void>;
}): VNode | null {
  const may = useAccessCheck();
  if (!may("DELETE /admin/invites/{id}")) return null;
  const onConfirm = async () => {
    await callApi("DELETE /admin/invites/{id}", { path: { id } });
    await reload();
  };
  return html`<${ConfirmButton}
    text=${words.invitations.revoke}
    title=${words.invitations.revokeTitle}
    question=${words.invitations.revokeQuestion(words.roles[role])}
    confirm=${words.invitations.revoke}
    onConfirm=${onConfirm}
    danger
  />`;
}
