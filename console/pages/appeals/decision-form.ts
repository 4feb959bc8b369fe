import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type BodyOf, callApi } from "../../api/call.ts";
import { Problem } from "../../api/problem.ts";
import { Dialog } from "../../parts/dialog.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { type ActionState, useAction } from "../../parts/use-action.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { useAccessCheck, useSession } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import type { AppealViewProps } from "./appeal.ts";
import { isUndecided, type StaffAppeal } from "./states.ts";

type Decision = BodyOf<"POST /admin/appeals/{id}/decision">;
type AppealOutcome = Decision["outcome"];

interface Props extends Pick<AppealViewProps, "read"> {
  readonly appeal: StaffAppeal;
  /** The number of messages that the person has read. */
  readonly basedOn: number;
  readonly onDecided: (appeal: StaffAppeal) => void;
}

/** Decides the appeal, unless the person opened it or issued the ban. */
export function DecisionForm(props: Props): VNode {
  const { me } = useSession();
  const { user, punishment } = props.appeal;
  if (user.id === me.id) return html`<p>${words.decision.ownAppeal}</p>`;
  // The service lets an administrator decide about a ban that they issued, so that a site with a single
  // administrator can decide appeals.
  const isOwnBan = punishment.issued_by?.id === me.id && me.role !== "admin";
  if (isOwnBan && isUndecided(props.appeal)) return html`<p>${words.decision.ownBan}</p>`;
  return html`<${Deciding} ...${props} />`;
}

/** Decides the appeal, after a dialog that tells the effect of the decision. */
function Deciding({ appeal, basedOn, read, onDecided }: Props): VNode | null {
  const form = useAction();
  const decide = useAction();
  const [asked, setAsked] = useState<Decision | null>(null);
  const [isDirty, setDirty] = useState(false);
  useUnsavedWarning(isDirty);
  const isOpen = isUndecided(appeal);
  if (!isOpen && !isDirty) return null;
  const onConfirm = async () => {
    const path = { id: appeal.id };
    const body = { ...(asked as Decision), basedOn };
    const isDone = await decide.run(async () => {
      const decided = await callApi("POST /admin/appeals/{id}/decision", { path, body });
      onDecided(decided.appeal);
    });
    setAsked(null);
    if (isDone) setDirty(false);
    await read.reload();
  };
  const onSend = async (values: FormData) => {
    if (!isOpen) throw new Problem(words.decision.tooLate);
    setAsked(decisionIn(values));
  };
  return html`<h2>${words.decision.heading}</h2>
    ${isOpen ? null : html`<p class="notice bad">${words.decision.tooLate}</p>`}
    <${DecisionProblem} action=${decide} />
    <div onInput=${() => setDirty(true)}>
      <${Form}
        action=${form}
        onSend=${onSend}
        send=${words.decision.send}
        label=${words.decision.heading}
        more=${!isOpen && html`<button type="button" onClick=${() => setDirty(false)}>${words.decision.discard}</button>`}
      >
        <${DecisionFields} account=${appeal.account} problem=${decide.problem} />
      <//>
    </div>
    ${
      asked &&
      html`<${ConfirmDecision}
        asked=${asked}
        user=${appeal.user.username}
        action=${decide}
        onConfirm=${onConfirm}
        onClose=${() => setAsked(null)}
      />`
    }`;
}

function decisionIn(values: FormData): Decision {
  const outcome = readTextField(values, "outcome") as AppealOutcome;
  const unban = outcome === "accepted" && values.get("unban") === "on";
  return { outcome, note: readTextField(values, "note"), ...(unban && { unban }) };
}

function DecisionProblem({ action: { problem } }: { readonly action: ActionState }): VNode | null {
  if (problem?.code === "stale_revision") {
    return html`<p class="notice bad" role="alert">${words.decision.stale}</p>`;
  }
  return html`<${ProblemView} problem=${problem} />`;
}

function DecisionFields({
  account,
  problem,
}: Pick<ActionState, "problem"> & { readonly account: string }): VNode {
  return html`<${Outcomes} account=${account} />
        <${Field}
          label=${words.decision.note}
          name="note"
          as="textarea"
          maxlength="2000"
          required
          hint=${words.decision.noteHint}
          problem=${problem}
        />`;
}

/** The outcomes, each with its effect. */
function Outcomes({ account }: { readonly account: string }): VNode {
  const may = useAccessCheck();
  const [chosen, setChosen] = useState<AppealOutcome | null>(null);
  const moderation = `/console/moderation?tab=players&account=${encodeURIComponent(account)}`;
  const outcomes = Object.entries(words.decision.outcomes) as [
    AppealOutcome,
    { readonly name: string; readonly effect: string },
  ][];
  return html`<fieldset>
    <legend>${words.decision.outcome}</legend>
    ${outcomes.map(
      ([value, { name, effect }]) =>
        html`<${Field}
          key=${value}
          label=${name}
          name="outcome"
          type="radio"
          value=${value}
          hint=${effect}
          required
          onChange=${() => setChosen(value)}
        />`,
    )}
    ${
      chosen === "accepted" &&
      html`<${Field}
        label=${words.decision.unban}
        name="unban"
        type="checkbox"
        hint=${words.decision.unbanHint}
        defaultChecked
      />`
    }
    ${
      chosen === "reduced" &&
      may("POST /admin/shard/ban") &&
      html`<p>
        <a href=${moderation} target="_blank" rel="noopener">${words.decision.banAgain}</a>
      </p>`
    }
  </fieldset>`;
}

function ConfirmDecision({
  asked: { outcome, unban = false },
  user,
  action,
  onConfirm,
  onClose,
}: {
  readonly asked: Decision;
  readonly user: string;
  readonly action: ActionState;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}): VNode {
  const { name, effect } = words.decision.outcomes[outcome];
  return html`<${Dialog} title=${words.decision.confirmTitle(name)} onClose=${onClose} hasTexts>
    <p>${outcome === "accepted" ? words.decision.accepting(unban) : effect}</p>
    <p>${words.decision.final(user)}</p>
    <div class="buttons">
      <button
        type="button"
        class="main"
        aria-disabled=${action.isRunning}
        onClick=${() => void onConfirm()}
      >
        ${action.isRunning ? words.actions.working : words.decision.confirm}
      </button>
      <button type="button" onClick=${onClose}>${words.actions.cancel}</button>
    </div>
  <//>`;
}
