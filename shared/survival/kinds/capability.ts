/** What a bridge plugin may be able to do, by the names of its hello. */
export type Capability =
  | "map"
  | "perm"
  | "npc"
  | "zones"
  | "kits"
  | "participation"
  | "titles"
  | "voice"
  | "announce"
  | "config"
  | "link"
  | "integrations";
