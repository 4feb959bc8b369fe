import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { reloadOnFailure, useAction } from "../../parts/use-action.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { useSession } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import type { AppealViewProps } from "./appeal.ts";
import { assigneeOf, isUndecided, type StaffAppeal } from "./states.ts";

interface Props extends Pick<AppealViewProps, "read"> {
  readonly appeal: StaffAppeal;
}

/** Writes to the player, or a note for staff. After the decision, only notes can be written. */
export function ReplyForm({ appeal, read }: Props): VNode {
  const action = useAction();
  const [sent, setSent] = useState(0);
  const [isDirty, setDirty] = useState(false);
  useUnsavedWarning(isDirty);
  const isOpen = isUndecided(appeal);
  const onSend = async (values: FormData) => {
    const body = { body: readTextField(values, "body"), internal: values.get("internal") === "on" };
    await reloadOnFailure(read.reload, () =>
      callApi("POST /admin/appeals/{id}/messages", { path: { id: appeal.id }, body }),
    );
    setDirty(false);
    setSent((count) => count + 1);
    await read.reload();
  };
  return html`<h2>${words.appeal.write}</h2>
    ${isOpen && html`<${TakeOver} appeal=${appeal} read=${read} />`}
    ${sent > 0 && !isDirty && html`<p class="good" role="status">${words.appeal.written}</p>`}
    <div onInput=${() => setDirty(true)}>
      <${Form}
        key=${sent}
        action=${action}
        onSend=${onSend}
        send=${words.appeal.send}
        label=${words.appeal.write}
      >
        <${Field}
          label=${words.appeal.text}
          name="body"
          as="textarea"
          maxlength="2000"
          required
          problem=${action.problem}
        />
        <${Field}
          label=${words.appeal.internal}
          name="internal"
          type="checkbox"
          hint=${isOpen ? words.appeal.internalHint : words.appeal.onlyNotes}
          defaultChecked=${!isOpen}
        />
      <//>
    </div>`;
}

/** Assigns the appeal to the person. */
function TakeOver({ appeal, read }: Pick<Props, "appeal" | "read">): VNode {
  const { me } = useSession();
  const action = useAction();
  const assignee = assigneeOf(appeal);
  if (assignee?.id === me.id) return html`<p class="soft">${words.appeal.yours}</p>`;
  const take = () =>
    action.run(async () => {
      const path = { id: appeal.id };
      await callApi("POST /admin/appeals/{id}/messages", { path, body: { assign: true } });
      await read.reload();
    });
  return html`<p>
      ${assignee ? words.appeal.handledBy(assignee.username) : words.appeal.unassigned}
    </p>
    <${ProblemView} problem=${action.problem} />
    <p>
      <button type="button" aria-disabled=${action.isRunning} onClick=${() => void take()}>
        ${assignee ? words.appeal.takeOver : words.appeal.take}
      </button>
    </p>`;
}
