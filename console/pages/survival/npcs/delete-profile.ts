import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../../api/call.ts";
import { Problem } from "../../../api/problem.ts";
import { ConfirmButton } from "../../../parts/ask-button.ts";
import { html } from "../../../parts/html.ts";
import { reloadOnFailure } from "../../../parts/use-action.ts";
import { useNavigate } from "../../../shell/router.ts";
import { words } from "../../../words/words.ts";
import { listAddress } from "./addresses.ts";
import type { Profile } from "./profile.ts";

/** Deletes a profile. If placements use it, the dialog says so and offers to disable them. */
export function DeleteProfileButton({
  profile,
  reload,
}: {
  readonly profile: Profile;
  readonly reload: () => Promise<void>;
}): VNode {
  const { npcs: text } = words.survival;
  const [isInUse, setInUse] = useState(false);
  const open = useNavigate();
  const remove = async () => {
    try {
      await reloadOnFailure(reload, () =>
        callApi("DELETE /admin/survival/npcs/profiles/{id}", {
          path: { id: profile.id },
          query: { force: isInUse },
          body: { basedOn: profile.revision },
        }),
      );
    } catch (error) {
      if (error instanceof Problem && error.code === "npc_profile_in_use") setInUse(true);
      throw error;
    }
    open(listAddress);
  };
  return html`<h2>${text.delete}</h2>
    <${ConfirmButton}
      text=${text.delete}
      title=${text.deleteTitle(profile.displayName)}
      question=${isInUse ? text.deleteInUse : text.deleteQuestion}
      confirm=${isInUse ? text.deleteAnyway : text.delete}
      onConfirm=${remove}
      danger
    />`;
}
