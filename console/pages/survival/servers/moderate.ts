import type { VNode } from "preact";

import { type BodyOf, callApi } from "../../../api/call.ts";
import { Dialog } from "../../../parts/dialog.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { html } from "../../../parts/html.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import type { useCommand } from "../../../parts/use-command.ts";
import { words } from "../../../words/words.ts";

/** A player who is about to be kicked or banned. */
export interface ModeratedPlayer {
  readonly kind: "kick" | "ban";
  readonly steamId: string;
  readonly name: string;
}

const reasonSpec = (): FieldSpec => ({
  name: "reason",
  kind: "text",
  label: words.survival.moderate.reason,
  hint: words.survival.moderate.reasonHint,
  input: { required: true },
});

const durations = (): FieldSpec => ({
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

const operations = {
  kick: "POST /admin/survival/servers/{id}/kick",
  ban: "POST /admin/survival/servers/{id}/ban",
} as const;

/** Asks for a reason, and kicks or bans a player. */
export function ModerateDialog({
  serverId,
  player: { kind, steamId, name },
  command,
  onClose,
  onDone,
}: {
  readonly serverId: number;
  readonly player: ModeratedPlayer;
  readonly command: ReturnType<typeof useCommand>;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}): VNode {
  const { moderate: text } = words.survival;
  const isKick = kind === "kick";
  const title = isKick ? text.kickTitle(name) : text.banTitle(name);
  const save = async (given: object) => {
    const body = { ...given, steamId } as BodyOf<(typeof operations)["kick"]>;
    await command({ kind, ...body }, (headers) =>
      callApi(operations[kind], { path: { id: serverId }, body, headers }),
    );
    onClose();
    await onDone();
    return {};
  };
  return html`<${Dialog} title=${title} onClose=${onClose} hasTexts>
    <p>${isKick ? text.kickQuestion : text.banQuestion}</p>
    <${EditForm}
      label=${title}
      send=${isKick ? text.kick : text.ban}
      stored=${{}}
      specs=${isKick ? [reasonSpec()] : [reasonSpec(), durations()]}
      save=${save}
    />
  <//>`;
}
