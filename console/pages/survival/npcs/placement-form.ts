import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, type BodyOf, callApi } from "../../../api/call.ts";
import { Dialog } from "../../../parts/dialog.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { FormButton } from "../../../parts/form-button.ts";
import { html } from "../../../parts/html.ts";
import { type Option, optionsOf } from "../../../parts/options.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";
import type { Placement } from "./placements.ts";

const nameSpec = (): FieldSpec => ({
  name: "name",
  kind: "text",
  label: words.survival.placements.name,
  input: { required: true },
});

type Overview = AnswerOf<"GET /admin/survival/npcs">;

const placementSpecs = (
  profiles: readonly Option[],
  anchor: string,
  setAnchor: (anchor: string) => void,
): readonly FieldSpec[] => {
  const { placements: text } = words.survival;
  const number = { kind: "number", input: { required: true } } as const;
  const whole = { kind: "number", input: { required: true, min: 1, step: 1 } } as const;
  const monument: FieldSpec = {
    name: "monument",
    kind: "text",
    label: text.monument,
    hint: text.monumentHint,
    input: { required: true },
  };
  return [
    { name: "profileKey", kind: "select", label: text.profile, options: profiles },
    {
      name: "anchor",
      kind: "select",
      label: text.anchor,
      hint: text.anchorHint,
      options: optionsOf(text.anchors),
      onChange: setAnchor,
    },
    ...(anchor === "monument" ? [monument] : []),
    { name: "x", label: text.x, ...number },
    { name: "y", label: text.y, ...number },
    { name: "z", label: text.z, ...number },
    { name: "rotation", label: text.rotation, ...number },
    { name: "count", label: text.count, ...whole },
    { name: "radius", label: text.radius, ...number },
    {
      name: "respawnSec",
      kind: "number",
      label: text.respawnSec,
      hint: text.respawnHint,
      isNullable: true,
    },
    { name: "onWipe", kind: "select", label: text.onWipe, options: optionsOf(text.wipes) },
    { name: "enabled", kind: "check", label: text.enabled },
  ];
};

const fresh = {
  anchor: "world",
  x: 0,
  y: 0,
  z: 0,
  rotation: 0,
  count: 1,
  radius: 0,
  respawnSec: 300,
  onWipe: "drop",
  enabled: true,
} as const;

const ofServer = "/admin/survival/npcs/servers/{serverId}/placements" as const;

interface PlacementProps {
  readonly serverId: number;
  /** The placement to change. Absent for a new one. */
  readonly placement?: Placement;
  readonly onSaved: () => Promise<void>;
}

/** A button that opens the form of a new placement. */
export function AddPlacementButton(props: PlacementProps): VNode {
  const { placements: text } = words.survival;
  return html`<${FormButton} text=${text.add} title=${text.add}>
    ${(close: () => void) => html`<${PlacementForm} ...${props} title=${text.add} onClose=${close} />`}
  <//>`;
}

/** A placement that is about to be changed or renamed. */
export interface ChosenPlacement {
  readonly kind: "change" | "rename";
  readonly placement: Placement;
}

/** Changes or renames a placement. */
export function PlacementDialog({
  chosen: { kind, placement },
  onClose,
  onSaved,
}: {
  readonly chosen: ChosenPlacement;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}): VNode {
  const { placements: text } = words.survival;
  const { serverId, name } = placement;
  const title = kind === "change" ? text.changeTitle(name) : text.renameTitle(name);
  const props = { serverId, placement, title, onClose, onSaved };
  return html`<${Dialog} title=${title} onClose=${onClose} hasTexts>
    <${kind === "change" ? PlacementForm : RenameForm} ...${props} />
  <//>`;
}

function PlacementForm({
  serverId,
  placement,
  onSaved,
  onClose,
  title,
}: PlacementProps & { readonly onClose: () => void; readonly title: string }): VNode {
  const { placements: text } = words.survival;
  const [anchor, setAnchor] = useState<string>(placement?.anchor ?? fresh.anchor);
  const read = useApiRead("GET /admin/survival/npcs", {});
  const save = async (body: object, basis: Partial<Placement>): Promise<Partial<Placement>> => {
    const saved = placement
      ? await callApi(`PUT ${ofServer}/{placementId}`, {
          path: { serverId, placementId: placement.id },
          body: { ...body, ...(basis.revision && { basedOn: basis.revision }) },
        })
      : await callApi(`POST ${ofServer}`, {
          path: { serverId },
          body: body as BodyOf<"POST /admin/survival/npcs/servers/{serverId}/placements">,
        });
    onClose();
    await onSaved();
    return saved.placement;
  };
  const specsOf = (profiles: Overview["profiles"]): readonly FieldSpec[] => {
    const options = profiles.map(({ key, displayName }) => ({
      value: key,
      text: `${displayName} (${key})`,
    }));
    const specs = placementSpecs(options, anchor, setAnchor);
    return placement ? specs : [nameSpec(), ...specs];
  };
  return html`<${ReadStateView} read=${read}>
    ${({ profiles }: Overview) =>
      html`<${EditForm}
        label=${title}
        send=${placement ? words.actions.save : text.create}
        stored=${placement ?? fresh}
        specs=${specsOf(profiles)}
        isWhole=${!placement}
        onShown=${(shown: Partial<Placement>) => setAnchor(shown.anchor ?? fresh.anchor)}
        save=${save}
      />`}
  <//>`;
}

/** Gives a placement another name. The NPCs stay in the game. */
function RenameForm({
  placement,
  title,
  onClose,
  onSaved,
}: Required<PlacementProps> & { readonly onClose: () => void; readonly title: string }): VNode {
  const { placements: text } = words.survival;
  const { id, serverId, name } = placement;
  const save = async (given: object, basis: Placement) => {
    const body = { name, ...given, basedOn: basis.revision };
    const path = { serverId, placementId: id };
    const answer = await callApi(`POST ${ofServer}/{placementId}/rename`, { path, body });
    onClose();
    await onSaved();
    return answer.placement;
  };
  return html`<${EditForm}
    label=${title}
    send=${text.rename}
    stored=${placement}
    specs=${[nameSpec()]}
    save=${save}
  />`;
}
