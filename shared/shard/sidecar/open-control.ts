import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import {
  type Control,
  type ControlOptions,
  createControl,
} from "../../platform/bridge/calls/control.ts";
import { createPluginControl, type PluginControlParts } from "../../platform/plugin/control.ts";
import { pluginCallsProtocol, type UsableLink } from "./sidecar-link.ts";

/** The control plane of the shard as it is linked; whoever opens it closes it. */
export function openControl(
  link: UsableLink,
  parts: PluginControlParts,
  options: ControlOptions = {},
): Control {
  if (link.kind === "plugin") return createPluginControl(link, parts, options);
  return link.kind === "status" ? deaf : createControl(link, options);
}

const refuse = (): Promise<never> => {
  const reason = "the shard is linked by its status packet alone, which takes no commands";
  return Promise.reject(new BridgeError("UNSUPPORTED", { reason }));
};

/** A shard that has nothing installed can be asked for its status alone. */
const deaf: Control = {
  protocol: pluginCallsProtocol,
  read: refuse,
  command: refuse,
  download: refuse,
  close: () => undefined,
};
