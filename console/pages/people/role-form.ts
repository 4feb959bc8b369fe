import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { isStaff, type Role } from "../../api/access.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { Field } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { Options } from "../../parts/options.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { useSession } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { changePerson } from "./change-person.ts";
import type { PersonProps } from "./person.ts";
import { roleChoices, parseRole } from "./roles.ts";

/** Changes the role, after a dialog that tells what ends with the old role. */
export function RoleForm({ person, read }: PersonProps): VNode {
  const { me, refresh } = useSession();
  const [first] = useState(person.role);
  const [chosen, setChosen] = useState<Role>(person.role);
  const [isSaved, setSaved] = useState(false);
  const isChanged = chosen !== person.role;
  useUnsavedWarning(isChanged);
  const onChange = (event: Event) => {
    setChosen(parseRole((event.currentTarget as HTMLSelectElement).value) ?? chosen);
    setSaved(false);
  };
  const onConfirm = async () => {
    await changePerson("role", { role: chosen }, person, read);
    setSaved(true);
    if (person.id === me.id) await refresh();
  };
  return html`<h2>${words.people.role}</h2>
    <div class="form">
      <${Field} label=${words.person.newRole} name="role" as="select" onChange=${onChange}>
        <${Options} options=${roleChoices()} chosen=${first} />
      <//>
      ${isSaved && html`<p class="good" role="status">${words.person.saved}</p>`}
      ${
        isChanged &&
        html`<div>
          <${ConfirmButton}
            text=${words.person.changeRole}
            title=${words.person.roleTitle(person.username, words.roles[chosen])}
            question=${effectOf(person.role, chosen)}
            confirm=${words.person.changeRole}
            onConfirm=${onConfirm}
            danger=${losesRights(person.role, chosen)}
          />
        </div>`
      }
    </div>`;
}

/** Returns true if sessions, tokens and invitations of the user end with the change. */
const losesRights = (from: Role, to: Role): boolean => isStaff(from) && to !== "admin";

function effectOf(from: Role, to: Role): string {
  if (losesRights(from, to)) return words.person.losesRights;
  return to === "admin" ? words.person.becomesAdmin : words.person.becomesStaff;
}
