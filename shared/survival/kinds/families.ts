/** What a game server can be asked to say again. */
export const families = [
  "server",
  "players",
  "tallies",
  "clans",
  "map",
  "permissions",
  "npcs",
] as const;

export type Family = (typeof families)[number];
