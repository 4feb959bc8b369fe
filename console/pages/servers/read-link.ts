import { textIn } from "../../parts/form.ts";

const isOn = (values: FormData, name: string): boolean => values.get(name) === "on";

/** Returns the fields of a sidecar's link that a form contains. */
export const readSidecar = (values: FormData) => ({
  kind: "sidecar" as const,
  baseUrl: textIn(values, "baseUrl").trim(),
  wsUrl: textIn(values, "wsUrl").trim(),
  token: textIn(values, "token"),
});

/** Returns the fields of a console's link that a form contains. */
export const readConsole = (values: FormData) => ({
  kind: "webrcon" as const,
  rconHost: textIn(values, "rconHost").trim(),
  rconPort: Number(textIn(values, "rconPort")),
  rconPassword: textIn(values, "rconPassword"),
  rconTls: isOn(values, "rconTls"),
});

/** Returns the fields of a shard's link. */
export function readShardFields(values: FormData) {
  const enabled = isOn(values, "enabled");
  const kind = textIn(values, "kind");
  if (kind === "sidecar") {
    const protocol = textIn(values, "protocol") === "7" ? (7 as const) : (8 as const);
    return { ...readSidecar(values), protocol, enabled };
  }
  if (kind === "plugin") return { kind: "plugin" as const, enabled };
  return {
    kind: "status" as const,
    statusHost: textIn(values, "statusHost").trim(),
    statusPort: Number(textIn(values, "statusPort")),
    enabled,
  };
}

function readServerLink(values: FormData) {
  const kind = textIn(values, "kind");
  if (kind === "sidecar") return readSidecar(values);
  return kind === "webrcon" ? readConsole(values) : { kind: "plugin" as const };
}

/** Returns the fields of a survival server. */
export const readServerFields = (values: FormData) => ({
  name: textIn(values, "name").trim(),
  slug: textIn(values, "slug").trim(),
  region: textIn(values, "region").trim(),
  connect: textIn(values, "connect").trim(),
  listed: isOn(values, "listed"),
  acceptsLinks: isOn(values, "acceptsLinks"),
  enabled: isOn(values, "enabled"),
  ...readServerLink(values),
});
