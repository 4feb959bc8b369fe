import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../../api/call.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { FormButton } from "../../../parts/form-button.ts";
import { html } from "../../../parts/html.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { useCommand } from "../../../parts/use-command.ts";
import { words } from "../../../words/words.ts";
import type { ServerList } from "../use-servers.ts";
import type { Preset } from "./zones.ts";

interface Opening {
  readonly serverId: number;
  readonly presetKey: string;
  readonly where: "point" | "monument";
  readonly monument?: string;
  readonly x?: number;
  readonly z?: number;
  readonly minutes: number;
}

const placeSpecs = (where: string): readonly FieldSpec[] => {
  const { zones: text } = words.survival;
  const number = { kind: "number", input: { required: true } } as const;
  return where === "monument"
    ? [
        {
          name: "monument",
          kind: "text",
          label: text.monument,
          hint: text.monumentHint,
          input: { required: true },
        },
      ]
    : [
        { name: "x", label: text.x, ...number },
        { name: "z", label: text.z, ...number },
      ];
};

const openSpecs = (
  presets: readonly Preset[],
  servers: ServerList,
  where: string,
  setWhere: (where: string) => void,
): readonly FieldSpec[] => {
  const { zones: text } = words.survival;
  return [
    {
      name: "serverId",
      kind: "select",
      label: text.server,
      options: servers.options,
      isNumeric: true,
    },
    {
      name: "presetKey",
      kind: "select",
      label: text.preset,
      options: presets.map(({ key, name }) => ({ value: key, text: name })),
    },
    {
      name: "where",
      kind: "select",
      label: text.place,
      options: [
        { value: "point", text: text.atPoint },
        { value: "monument", text: text.atMonument },
      ],
      onChange: setWhere,
    },
    ...placeSpecs(where),
    {
      name: "minutes",
      kind: "number",
      label: text.minutes,
      input: { required: true, min: 1, max: 1440 },
    },
  ];
};

/** A button that opens the form for a new zone. */
export function OpenZoneButton({
  presets,
  servers,
  onOpened,
}: {
  readonly presets: readonly Preset[];
  readonly servers: ServerList;
  readonly onOpened: () => Promise<void>;
}): VNode | null {
  const { zones: text } = words.survival;
  const [where, setWhere] = useState("point");
  const command = useCommand();
  if (presets.length === 0) return null;
  const save = async (close: () => void, given: object) => {
    const { serverId, presetKey, monument, x = 0, z = 0, minutes } = given as Opening;
    const revision = presets.find(({ key }) => key === presetKey)?.revision;
    const body = {
      serverId,
      presetKey,
      at: monument ?? { x, z },
      durationSec: Math.round(minutes * 60),
      ...(revision && { basedOn: revision }),
    };
    await command(body, (headers) => callApi("POST /admin/survival/zones/open", { body, headers }));
    close();
    await onOpened();
    return {};
  };
  return html`<${FormButton} text=${text.openZone} title=${text.openZone}>
    ${(close: () => void) =>
      html`<${EditForm}
        label=${text.openZone}
        send=${text.openNow}
        stored=${{ minutes: 30, where }}
        specs=${openSpecs(presets, servers, where, setWhere)}
        isWhole
        save=${(body: object) => save(close, body)}
      />`}
  <//>`;
}
