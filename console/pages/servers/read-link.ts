import { readTextField } from "../../parts/form.ts";

const isOn = (values: FormData, name: string): boolean => values.get(name) === "on";

/** Returns the fields of a sidecar's link that a form contains. */
export const readSidecarFields = (values: FormData) => ({
  kind: "sidecar" as const,
  baseUrl: readTextField(values, "baseUrl").trim(),
  wsUrl: readTextField(values, "wsUrl").trim(),
  token: readTextField(values, "token"),
});

/** Returns the fields of a console's link that a form contains. */
export const readConsoleFields = (values: FormData) => ({
  kind: "webrcon" as const,
  rconHost: readTextField(values, "rconHost").trim(),
  rconPort: Number(readTextField(values, "rconPort")),
  rconPassword: readTextField(values, "rconPassword"),
  rconTls: isOn(values, "rconTls"),
});

/** Returns the fields of a shard's link. */
export function readShardFields(values: FormData) {
  const enabled = isOn(values, "enabled");
  const kind = readTextField(values, "kind");
  if (kind === "sidecar") {
    const protocol = readTextField(values, "protocol") === "7" ? (7 as const) : (8 as const);
    return { ...readSidecarFields(values), protocol, enabled };
  }
  if (kind === "plugin") return { kind: "plugin" as const, enabled };
  return {
    kind: "status" as const,
    statusHost: readTextField(values, "statusHost").trim(),
    statusPort: Number(readTextField(values, "statusPort")),
    enabled,
  };
}

function readServerLink(values: FormData) {
  const kind = readTextField(values, "kind");
  if (kind === "sidecar") return readSidecarFields(values);
  return kind === "webrcon" ? readConsoleFields(values) : { kind: "plugin" as const };
}

/** Returns the fields of a survival server. */
export const readServerFields = (values: FormData) => ({
  name: readTextField(values, "name").trim(),
  slug: readTextField(values, "slug").trim(),
  region: readTextField(values, "region").trim(),
  connect: readTextField(values, "connect").trim(),
  listed: isOn(values, "listed"),
  acceptsLinks: isOn(values, "acceptsLinks"),
  enabled: isOn(values, "enabled"),
  ...readServerLink(values),
});
