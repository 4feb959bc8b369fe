import { command } from "../../bridge/call.ts";
import { count, shape } from "../../bridge/payload-fields.ts";

/** Brings the NPCs of a placement back, as many as are missing. */
export const spawnCall = command<
  { readonly spawned: number },
  { params: { readonly name: string } }
>({
  method: "POST",
  path: "/v1/npc/placements/:name/respawn",
  answer: shape({ spawned: count() }),
});
