import type { VNode } from "preact";

import { type BodyOf, call } from "../../../api/call.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { FormButton } from "../../../parts/form-button.ts";
import { html } from "../../../parts/html.ts";
import type { Spec } from "../../../parts/specs.ts";
import { useCommand } from "../../../parts/use-command.ts";
import { useMay } from "../../../shell/session.ts";
import { words } from "../../../words/words.ts";

interface ModerateProps {
  readonly serverId: number;
  readonly steamId: string;
  readonly name: string;
  readonly onDone: () => unknown;
}

const reasonSpec = (): Spec => ({
  name: "reason",
  kind: "text",
  label: words.survival.moderate.reason,
  hint: words.survival.moderate.reasonHint,
  input: { required: true },
});

const durations = (): Spec => ({
  name: "durationSec",
  kind: "select",
  label: words.survival.moderate.duration,
  isNullable: true,
  isNumeric: true,
  hint: words.survival.moderate.durationHint,
  options: Object.entries(words.survival.moderate.durations).map(([value, text]) => ({
    value,
    text,
  })),
});

/** Disconnects a player, after a reason was typed. */
export function KickButton({ serverId, steamId, name, onDone }: ModerateProps): VNode | null {
  const may = useMay();
  const command = useCommand();
  const { moderate: text } = words.survival;
  if (!may("POST /admin/survival/servers/{id}/kick")) return null;
  const save = async (close: () => void, given: object) => {
    const body = { ...given, steamId } as BodyOf<"POST /admin/survival/servers/{id}/kick">;
    await command(body, (headers) =>
      call("POST /admin/survival/servers/{id}/kick", { path: { id: serverId }, body, headers }),
    );
    close();
    await onDone();
    return {};
  };
  return html`<${FormButton} text=${text.kick} title=${text.kickTitle(name)} label=${text.kickTitle(name)}>
    ${(close: () => void) =>
      html`<p>${text.kickQuestion}</p>
        <${EditForm}
          label=${text.kickTitle(name)}
          send=${text.kick}
          stored=${{}}
          specs=${[reasonSpec()]}
          save=${(body: object) => save(close, body)}
        />`}
  <//>`;
}

/** Bans a player, after a reason was typed and a duration was chosen. */
export function BanButton({ serverId, steamId, name, onDone }: ModerateProps): VNode | null {
  const may = useMay();
  const command = useCommand();
  const { moderate: text } = words.survival;
  if (!may("POST /admin/survival/servers/{id}/ban")) return null;
  const save = async (close: () => void, given: object) => {
    const body = { ...given, steamId } as BodyOf<"POST /admin/survival/servers/{id}/ban">;
    await command(body, (headers) =>
      call("POST /admin/survival/servers/{id}/ban", { path: { id: serverId }, body, headers }),
    );
    close();
    await onDone();
    return {};
  };
  return html`<${FormButton} text=${text.ban} title=${text.banTitle(name)} label=${text.banTitle(name)}>
    ${(close: () => void) =>
      html`<p>${text.banQuestion}</p>
        <${EditForm}
          label=${text.banTitle(name)}
          send=${text.ban}
          stored=${{}}
          specs=${[reasonSpec(), durations()]}
          save=${(body: object) => save(close, body)}
        />`}
  <//>`;
}
