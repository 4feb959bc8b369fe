/** CATALOGUE of the sorts of state that game servers are pushed; `delivery/push-kinds.ts` says how each is. */
export const pushNames = [
  "npcs",
  "permission-inventory",
  "permissions",
  "titles",
  "voice",
] as const;

export type PushName = (typeof pushNames)[number];

export const isPushName = (name: string): name is PushName =>
  (pushNames as readonly string[]).includes(name);
