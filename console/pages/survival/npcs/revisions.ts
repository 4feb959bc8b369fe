import type { VNode } from "preact";

import { callApi } from "../../../api/call.ts";
import { ConfirmButton } from "../../../parts/ask-button.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { formatFieldValues } from "../../../parts/specs.ts";
import { Table } from "../../../parts/table.ts";
import { words } from "../../../words/words.ts";
import { useServers } from "../use-servers.ts";
import { profileSpecs } from "./profile-fields.ts";
import type { Profile, ProfileWithRevisions } from "./profile.ts";
import { RevisionChanges } from "./revision-changes.ts";

/** The replaced revisions of a profile. An old revision can be made current again. */
export function Revisions({
  profile,
  revisions,
  onRestored,
}: {
  readonly profile: Profile;
  readonly revisions: ProfileWithRevisions["revisions"];
  readonly onRestored: () => Promise<void>;
}): VNode {
  const { revisions: text } = words.survival;
  const { nameOf } = useServers();
  const current = formatFieldValues(profile, profileSpecs("factions"));
  const restore = async (revision: number) => {
    await callApi("POST /admin/survival/npcs/profiles/{id}/restore", {
      path: { id: profile.id },
      body: { revision, basedOn: profile.revision },
    });
    await onRestored();
  };
  const rows = revisions.map((one) => ({
    key: one.revision,
    cells: [
      one.revision,
      one.origin === "site" ? text.site(one.updatedBy) : text.server(nameOf(one.serverId ?? 0)),
      formatTime(one.replacedAt),
      html`<${RevisionChanges}
        revision=${one.revision}
        old=${formatFieldValues(one.document, profileSpecs("factions"))}
        current=${current}
      />`,
      html`<${ConfirmButton}
        text=${text.restore}
        title=${text.restoreTitle(one.revision)}
        question=${text.restoreQuestion}
        confirm=${text.restore}
        onConfirm=${() => restore(one.revision)}
      />`,
    ],
  }));
  const heads = [text.number, text.origin, text.replaced, text.changes, text.actions];
  return html`<h2>${text.title}</h2>
    <${Table} label=${text.title} heads=${heads} rows=${rows} none=${text.none} />`;
}
