import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../../api/call.ts";
import { html } from "../../../parts/html.ts";
import { ProblemView } from "../../../parts/problem-view.ts";
import { useAction } from "../../../parts/use-action.ts";
import { useCommand } from "../../../parts/use-command.ts";
import { words } from "../../../words/words.ts";
import type { Placement } from "./placements.ts";

/** Spawns the missing NPCs of a placement, and states how many. */
export function RespawnButton({
  placement: { id, serverId, revision },
  onDone,
}: {
  readonly placement: Placement;
  readonly onDone: () => Promise<void>;
}): VNode {
  const { placements: text } = words.survival;
  const action = useAction();
  const command = useCommand();
  const [spawned, setSpawned] = useState<number | null>(null);
  const respawn = () =>
    action.run(async () => {
      const path = { serverId, placementId: id };
      const body = { basedOn: revision };
      const answer = await command(body, (headers) =>
        callApi("POST /admin/survival/npcs/servers/{serverId}/placements/{placementId}/respawn", {
          path,
          body,
          headers,
        }),
      );
      setSpawned(answer.spawned);
      await onDone();
    });
  return html`<button type="button" aria-disabled=${action.isRunning} onClick=${() => void respawn()}>
      ${text.respawn}
    </button>
    <span role="status" class="good">${spawned !== null && text.spawned(spawned)}</span>
    <${ProblemView} problem=${action.problem} />`;
}
