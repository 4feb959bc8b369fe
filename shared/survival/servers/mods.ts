import type { ServerHello } from "./read-servers.ts";

/** What loads the mods of a server; another is taken for none. */
export function frameworkOf({ framework }: ServerHello): "oxide" | "carbon" | "vanilla" {
  const name = framework?.name.toLowerCase();
  if (name === "oxide" || name === "umod") return "oxide";
  return name === "carbon" ? "carbon" : "vanilla";
}

/** Mods that change how the game is played; those of chat, clans and maps leave it alone. */
const playChanging = new Set(["zones", "pve", "kits", "npcs", "quests"]);

export const isModded = ({ helpers }: ServerHello): boolean =>
  (helpers ?? []).some(({ id, loaded }) => loaded && playChanging.has(id));
