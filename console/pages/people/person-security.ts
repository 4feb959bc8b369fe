import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatAgo, formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useAccessCheck, useSession } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import type { PersonProps } from "./person.ts";

type TrustedDevice = AnswerOf<"GET /admin/users/{id}/trusted-devices">[number];

/** The second factor, the sessions and the trusted browsers. */
export function PersonSecurity({ person, read }: PersonProps): VNode {
  const may = useAccessCheck();
  return html`<${SecondFactor} person=${person} read=${read} />
    ${may("POST /admin/users/{id}/sessions/revoke") && html`<${Sessions} person=${person} />`}
    <${TrustedBrowsers} person=${person} />`;
}

function SecondFactor({ person, read }: PersonProps): VNode {
  const may = useAccessCheck();
  const { me } = useSession();
  const { id, username, totp_enabled: isOn } = person;
  const onConfirm = async () => {
    const changed = await callApi("POST /admin/users/{id}/mfa/reset", { path: { id } });
    read.set({ ...person, ...changed });
  };
  return html`<h2>${words.people.secondFactor}</h2>
    <p>${isOn ? words.security.isOn : words.security.isOff}</p>
    ${id === me.id && html`<p class="soft">${words.security.ownFactor}</p>`}
    ${
      id !== me.id &&
      may("POST /admin/users/{id}/mfa/reset") &&
      html`<p>${words.security.resetHint}</p>
      <${ConfirmButton}
        text=${words.security.reset}
        title=${words.security.resetTitle(username)}
        question=${words.security.resetEffect}
        confirm=${words.security.reset}
        onConfirm=${onConfirm}
        danger
      />`
    }`;
}

function Sessions({ person: { id, username } }: Pick<PersonProps, "person">): VNode {
  const [ended, setEnded] = useState<number | null>(null);
  const onConfirm = async () => {
    const { revoked } = await callApi("POST /admin/users/{id}/sessions/revoke", { path: { id } });
    setEnded(revoked);
  };
  return html`<h2>${words.security.sessions}</h2>
    <p>${words.security.sessionsHint}</p>
    ${
      ended !== null &&
      html`<p class="notice good" role="status">${words.security.signedOut(username, ended)}</p>`
    }
    <${ConfirmButton}
      text=${words.security.signOut}
      title=${words.security.signOutTitle(username)}
      question=${words.security.signOutEffect}
      confirm=${words.security.signOut}
      onConfirm=${onConfirm}
      danger
    />`;
}

function TrustedBrowsers({ person: { id } }: Pick<PersonProps, "person">): VNode {
  const read = useApiRead("GET /admin/users/{id}/trusted-devices", { path: { id } });
  const forget = async (deviceId: number) => {
    const path = { id, deviceId };
    await callApi("DELETE /admin/users/{id}/trusted-devices/{deviceId}", { path });
    await read.reload();
  };
  return html`<h2>${words.security.browsers}</h2>
    <p>${words.security.browsersHint}</p>
    <${ReadStateView} read=${read}>
      ${(devices: readonly TrustedDevice[]) =>
        html`<${Table}
          label=${words.security.browsers}
          heads=${[
            words.security.browser,
            words.security.lastUsed,
            words.security.trustedUntil,
            words.security.change,
          ]}
          rows=${devices.map((device) => rowOf(device, () => forget(device.id)))}
          none=${words.security.noBrowsers}
        />`}
    <//>`;
}

const rowOf = (
  { id, label, last_used_at: usedAt, expires_at: expiresAt }: TrustedDevice,
  onForget: () => Promise<void>,
) => ({
  key: id,
  cells: [
    label,
    formatAgo(usedAt),
    formatTime(expiresAt),
    html`<${ForgetButton} label=${label} onForget=${onForget} />`,
  ],
});

function ForgetButton({
  label,
  onForget,
}: {
  readonly label: string;
  readonly onForget: () => Promise<void>;
}): VNode | null {
  const may = useAccessCheck();
  if (!may("DELETE /admin/users/{id}/trusted-devices/{deviceId}")) return null;
  return html`<${ConfirmButton}
    text=${words.security.forget}
    title=${words.security.forgetTitle}
    question=${words.security.forgetEffect(label)}
    confirm=${words.security.forget}
    onConfirm=${onForget}
    danger
  />`;
}
