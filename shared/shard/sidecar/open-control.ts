import { type Control, type ControlOptions, createControl } from "../../bridge/control.ts";
import { createPluginControl, type PluginControlParts } from "../../plugin/control.ts";
import type { UsableLink } from "./sidecar-link.ts";

/** The control plane of the shard as it is linked; whoever opens it closes it. */
export const openControl = (
  link: UsableLink,
  parts: PluginControlParts,
  options: ControlOptions = {},
): Control =>
  link.kind === "plugin" ? createPluginControl(link, parts) : createControl(link, options);
