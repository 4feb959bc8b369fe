import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, type BodyOf, callApi } from "../../../api/call.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { confirmLeave } from "../../../shell/router.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { useServers } from "../use-servers.ts";
import { listAddress } from "./addresses.ts";
import { DeleteProfileButton } from "./delete-profile.ts";
import { newProfileSpecs, profileSpecs } from "./profile-fields.ts";
import { NpcSyncState } from "./reach.ts";
import { Revisions } from "./revisions.ts";

export type ProfileWithRevisions = AnswerOf<"GET /admin/survival/npcs/profiles/{id}">;
export type Profile = ProfileWithRevisions["profile"];

/** One NPC profile, or a new one. */
export function SurvivalProfile({ params: { id = "" } }: PageProps): VNode {
  return id === "new" ? html`<${NewProfile} />` : html`<${OneProfile} id=${Number(id)} />`;
}

/** Suggests the names of the factions that are in use. */
function KnownFactions(): VNode {
  const read = useApiRead("GET /admin/survival/npcs/factions", {});
  return html`<datalist id="factions">
    ${read.data?.factions.map((name) => html`<option key=${name} value=${name}></option>`)}
  </datalist>`;
}

const fresh = {
  health: 150,
  gender: "random",
  skinTone: "random",
  ranked: true,
  healthSteps: [75, 50, 25, 10],
};

async function createProfile(given: object): Promise<Profile> {
  const body = given as BodyOf<"POST /admin/survival/npcs">;
  return (await callApi("POST /admin/survival/npcs", { body })).profile;
}

function NewProfile(): VNode {
  const { npcs: text } = words.survival;
  return html`<${SitePageHeading} title=${text.newProfile} />
    <p><a href=${listAddress}>${text.backToProfiles}</a></p>
    <p class="soft">${text.newHint}</p>
    <${KnownFactions} />
    <${EditForm}
      label=${text.newProfile}
      send=${text.create}
      stored=${fresh}
      specs=${newProfileSpecs("factions")}
      isWhole
      save=${createProfile}
      onSaved=${({ id }: Profile) => `${listAddress}/profiles/${id}`}
    />`;
}

function OneProfile({ id }: { readonly id: number }): VNode {
  const { npcs: text } = words.survival;
  const read = useApiRead("GET /admin/survival/npcs/profiles/{id}", { path: { id } });
  const [restores, setRestores] = useState(0);
  const onRestored = async () => {
    await read.reload();
    if (confirmLeave()) setRestores((count) => count + 1);
  };
  const save = async (body: object, basis: Profile) => {
    const answer = await callApi("PUT /admin/survival/npcs/profiles/{id}", {
      path: { id },
      body: { ...body, revision: basis.revision },
    });
    // The form shows the profile of the answer. Update the rest of the page, such as the list of revisions.
    void read.reload();
    return answer.profile;
  };
  return html`<${SitePageHeading} title=${text.profile} />
    <p><a href=${listAddress}>${text.backToProfiles}</a></p>
    <${KnownFactions} />
    <${ReadStateView} read=${read}>
      ${({ profile, revisions }: ProfileWithRevisions) =>
        html`<h2>${profile.displayName} <span class="code soft">${profile.key}</span></h2>
          <p class="soft">${text.changedBy(formatTime(profile.updatedAt), profile.updatedBy)}</p>
          <${ProfileReach} push=${profile.push} />
          <h2>${text.fields}</h2>
          <${EditForm}
            key=${restores}
            label=${text.fields}
            send=${words.actions.save}
            stored=${profile}
            specs=${profileSpecs("factions")}
            save=${save}
          />
          <${Revisions} profile=${profile} revisions=${revisions} onRestored=${onRestored} />
          <${DeleteProfileButton} profile=${profile} reload=${read.reload} />`}
    <//>`;
}

function ProfileReach({ push }: Pick<Profile, "push">): VNode {
  const { npcs: text } = words.survival;
  const { nameOf } = useServers();
  const rows = push.map(({ serverId, state, revision, at, error }) => ({
    key: serverId,
    cells: [
      nameOf(serverId),
      html`<${NpcSyncState} state=${state} />`,
      revision ?? "–",
      formatTime(at),
      error ?? "–",
    ],
  }));
  const heads = [text.server, text.state, text.sentRevision, text.sentAt, text.error];
  return html`<${Table} label=${text.servers} heads=${heads} rows=${rows} none=${text.noServers} />`;
}
