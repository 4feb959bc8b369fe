import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../../api/call.ts";
import { ConfirmButton } from "../../../parts/ask-button.ts";
import { formatDuration, formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";
import { SitePageHeading } from "../heads.ts";
import { type ServerList, useServers } from "../use-servers.ts";
import { OpenZoneButton } from "./open-form.ts";

export type Zones = AnswerOf<"GET /admin/survival/zones">;
export type Preset = Zones["presets"][number];
type Lease = Zones["open"][number];

/** The open zones, and the presets from which zones are opened. */
export function SurvivalZones(): VNode {
  const { zones: text } = words.survival;
  const read = useApiRead("GET /admin/survival/zones", {}, 10_000);
  const servers = useServers();
  return html`<${SitePageHeading} title=${words.survival.tabs.zones} />
    <${ReadStateView} read=${read}>
      ${(zones: Zones) =>
        html`<div class="row">
            <h2>${text.open}</h2>
            <${OpenZoneButton} presets=${zones.presets} servers=${servers} onOpened=${read.reload} />
          </div>
          <${LeaseTable} leases=${zones.open} servers=${servers} onClosed=${read.reload} />
          <div class="row">
            <h2>${text.presets}</h2>
            <a class="button" href="/console/survival/zones/presets/new">${text.newPreset}</a>
          </div>
          <${PresetTable} zones=${zones} servers=${servers} />`}
    <//>`;
}

function LeaseTable({
  leases,
  servers,
  onClosed,
}: {
  readonly leases: readonly Lease[];
  readonly servers: ServerList;
  readonly onClosed: () => Promise<void>;
}): VNode {
  const { zones: text } = words.survival;
  const close = async (leaseId: string) => {
    await callApi("POST /admin/survival/zones/leases/{leaseId}/close", { path: { leaseId } });
    await onClosed();
  };
  const rows = leases.map((lease) => ({
    key: lease.leaseId,
    cells: [
      lease.presetKey,
      servers.nameOf(lease.serverId),
      placeText(lease.at),
      `${text.states[lease.state]}${lease.reason ? ` (${lease.reason})` : ""}`,
      formatTime(lease.openedAt),
      formatTime(lease.leaseUntil),
      lease.runId === null
        ? "–"
        : html`<a href=${`/console/runs/${lease.runId}`}>${text.run(lease.runId)}</a>`,
      html`<${ConfirmButton}
        text=${text.close}
        title=${text.closeTitle(lease.presetKey)}
        question=${text.closeQuestion(servers.nameOf(lease.serverId))}
        confirm=${text.close}
        onConfirm=${() => close(lease.leaseId)}
      />`,
    ],
  }));
  const heads = [
    text.preset,
    text.server,
    text.place,
    text.state,
    text.openedAt,
    text.until,
    text.cause,
    text.actions,
  ];
  return html`<${Table} label=${text.open} heads=${heads} rows=${rows} none=${text.noneOpen} />`;
}

const placeText = (at: Lease["at"]): string =>
  typeof at === "string" ? at : words.survival.zones.point(at.x, at.z);

function PresetTable({
  zones: { presets, flags },
  servers,
}: {
  readonly zones: Zones;
  readonly servers: ServerList;
}): VNode {
  const { zones: text } = words.survival;
  const destructive = new Set(flags.filter((one) => one.destructive).map(({ name }) => name));
  const rows = presets.map((preset) => ({
    key: preset.id,
    cells: [
      html`<a href=${`/console/survival/zones/presets/${preset.id}`}>${preset.name}</a>`,
      html`<span class="code">${preset.key}</span>`,
      shapeText(preset),
      preset.flags.map(
        (flag, at) =>
          html`<span key=${flag} class=${destructive.has(flag) ? "bad" : ""}>${at > 0 && ", "}${flag}</span>`,
      ),
      formatDuration(preset.maxDurationSec),
      preset.servers === "all" ? text.allServers : preset.servers.map(servers.nameOf).join(", "),
    ],
  }));
  const heads = [text.name, text.key, text.shape, text.flags, text.longest, text.servers];
  return html`<${Table} label=${text.presets} heads=${heads} rows=${rows} none=${text.noPresets} />`;
}

const shapeText = ({ shape }: Preset): string =>
  shape.kind === "sphere"
    ? words.survival.zones.sphere(shape.radius)
    : words.survival.zones.box(shape.x, shape.y, shape.z);
