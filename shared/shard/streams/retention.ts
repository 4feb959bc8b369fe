export type Retention = "chatty" | "long" | "normal";

/** How long events of a kind are kept, by name, so that it holds for kinds of newer plugins too. */
export function retentionOf(kind: string): Retention {
  if (kind.startsWith("presence.") || kind === "server.heartbeat") return "chatty";
  if (kind.startsWith("account.") || ["admin.audit", "vendor.sale"].includes(kind)) return "long";
  return "normal";
}
