import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type BodyOf, callApi } from "../../../api/call.ts";
import { ConfirmButton } from "../../../parts/ask-button.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { reloadOnFailure } from "../../../parts/use-action.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import type { PageProps } from "../../../shell/frame.ts";
import { useNavigate } from "../../../shell/router.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { useServers } from "../use-servers.ts";
import { presetSpecs } from "./preset-fields.ts";
import type { Preset, Zones } from "./zones.ts";

const listAddress = "/console/survival/zones";

/** A preset as the form shows it: the form has two fields for the servers and one switch for the dome. */
interface ShownPreset extends Omit<Partial<Preset>, "servers" | "dome"> {
  readonly servers: { readonly all: boolean; readonly ids: readonly number[] };
  readonly dome: { readonly enabled: boolean; readonly darkness: number };
}

const noDome = { enabled: false, darkness: 3 };

const toShown = (preset: Preset): ShownPreset => ({
  ...preset,
  servers: preset.servers === "all" ? { all: true, ids: [] } : { all: false, ids: preset.servers },
  dome: preset.dome ?? noDome,
});

const newPreset: ShownPreset = {
  shape: { kind: "sphere", radius: 50 },
  flags: [],
  rotation: 0,
  radiation: 0,
  comfort: 0,
  temperature: 0,
  maxDurationSec: 3_600,
  servers: { all: true, ids: [] },
  dome: noDome,
};

function toBody(given: object): object {
  const { servers, dome, ...rest } = given as Partial<ShownPreset>;
  return {
    ...rest,
    ...(servers && { servers: servers.all ? "all" : servers.ids }),
    ...(dome && { dome: dome.enabled ? dome : null }),
  };
}

/** One preset of zones, or a new one. */
export function SurvivalPreset({ params: { id = "" } }: PageProps): VNode {
  const { zones: text } = words.survival;
  const read = useApiRead("GET /admin/survival/zones", {});
  return html`<${SitePageHeading} title=${id === "new" ? text.newPreset : text.preset} />
    <p><a href=${listAddress}>${text.backToZones}</a></p>
    <${ReadStateView} read=${read}>
      ${(zones: Zones) => {
        const preset = zones.presets.find((one) => String(one.id) === id);
        if (!preset && id !== "new") return html`<p class="notice bad">${text.noSuchPreset}</p>`;
        return html`<${PresetForm} preset=${preset} flags=${zones.flags} reload=${read.reload} />
          ${preset && html`<${DeletePreset} preset=${preset} reload=${read.reload} />`}`;
      }}
    <//>`;
}

function PresetForm({
  preset,
  flags,
  reload,
}: {
  readonly preset: Preset | undefined;
  readonly flags: Zones["flags"];
  readonly reload: () => Promise<void>;
}): VNode {
  const { zones: text } = words.survival;
  const { options } = useServers();
  const [shape, setShape] = useState<string>(preset?.shape.kind ?? "sphere");
  const save = async (given: object, basis: ShownPreset): Promise<ShownPreset> => {
    const body = toBody(given);
    if (!preset) {
      const created = body as BodyOf<"POST /admin/survival/zones/presets">;
      return toShown(
        (await callApi("POST /admin/survival/zones/presets", { body: created })).preset,
      );
    }
    const answer = await callApi("PUT /admin/survival/zones/presets/{id}", {
      path: { id: preset.id },
      body: { ...body, ...(basis.revision && { basedOn: basis.revision }) },
    });
    return toShown(answer.preset);
  };
  const onSaved = () => {
    if (!preset) return listAddress;
    // Read the preset again, because its deletion requires the new revision.
    void reload();
    return undefined;
  };
  return html`${preset && html`<p class="soft">${text.changed(formatTime(preset.updatedAt), preset.updatedBy)}</p>`}
    <${EditForm}
      label=${text.preset}
      send=${preset ? words.actions.save : text.create}
      stored=${preset ? toShown(preset) : newPreset}
      specs=${presetSpecs({ isNew: !preset, shape, setShape, flags, servers: options })}
      isWhole=${!preset}
      currentIn=${(current: unknown) => toShown(current as Preset)}
      onShown=${(shown: ShownPreset) => setShape(shown.shape?.kind ?? "sphere")}
      save=${save}
      onSaved=${onSaved}
    />`;
}

function DeletePreset({
  preset,
  reload,
}: {
  readonly preset: Preset;
  readonly reload: () => Promise<void>;
}): VNode {
  const { zones: text } = words.survival;
  const open = useNavigate();
  const remove = async () => {
    await reloadOnFailure(reload, () =>
      callApi("DELETE /admin/survival/zones/presets/{id}", {
        path: { id: preset.id },
        body: { basedOn: preset.revision },
      }),
    );
    open(listAddress);
  };
  return html`<h2>${text.delete}</h2>
    <${ConfirmButton}
      text=${text.delete}
      title=${text.deleteTitle(preset.name)}
      question=${text.deleteQuestion}
      confirm=${text.delete}
      onConfirm=${remove}
      danger
    />`;
}
