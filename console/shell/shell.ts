import type { VNode } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";

import { isStaff, type CurrentUser } from "../api/access.ts";
import { callApi, type Confirmation, sendRequest, setCallHandlers } from "../api/call.ts";
import { Problem, readProblem } from "../api/problem.ts";
import { Dialog } from "../parts/dialog.ts";
import { html } from "../parts/html.ts";
import { ProblemView } from "../parts/problem-view.ts";
import { words } from "../words/words.ts";
import { ConfirmDialog } from "./confirm-dialog.ts";
import { ConsoleFrame } from "./frame.ts";
import { discardUnsavedTexts, hasUnsavedTexts, confirmLeave, setLeaveQuestion } from "./router.ts";
import { type Session, SessionContext } from "./session.ts";
import { SignIn } from "./sign-in.ts";
import { SignOutButton } from "./sign-out-button.ts";

/** A question to the person, and the request that waits for the answer. */
type Question =
  | { readonly kind: "signIn"; readonly answer: (isSignedIn: boolean) => void }
  | {
      readonly kind: "confirm";
      readonly problem: Problem | null;
      readonly answer: (given: Confirmation | null) => void;
    };

/** Reads the signed-in user. @returns null if nobody is signed in */
async function readMe(): Promise<CurrentUser | null | Problem> {
  try {
    const response = await sendRequest("GET /auth/me", {});
    if (response.ok) return (await response.json()) as CurrentUser;
    return response.status === 401 ? null : await readProblem(response);
  } catch (error) {
    return error instanceof Problem ? error : new Problem(words.problems.noAnswer);
  }
}

const isUser = (read: CurrentUser | null | Problem | undefined): read is CurrentUser =>
  Boolean(read) && !(read instanceof Problem);

/** The whole console: sign-in, or the frame with the present page. */
export function Shell(): VNode {
  const [me, setMe] = useState<CurrentUser | null | Problem | undefined>();
  const refresh = useCallback(async () => {
    const read = await readMe();
    // The page stays if the user cannot be read again, so that no typed text is lost.
    setMe((was) => (isUser(was) && !isUser(read) ? was : read));
  }, []);
  useEffect(() => {
    setLeaveQuestion(words.leaveQuestion);
    void refresh();
  }, []);
  const session = useMemo<Session | null>(() => {
    return isUser(me) ? { me, refresh, signOut: endSession } : null;
  }, [me]);
  if (me === undefined) return html`<p class="center soft">${words.loading}</p>`;
  if (me instanceof Problem) return html`<${Unreachable} problem=${me} retry=${refresh} />`;
  if (!session) return html`<${SignIn} onSignedIn=${setMe} />`;
  // Somebody whose role was taken away must be able to copy texts that are not saved.
  if (!isStaff(session.me.role) && !hasUnsavedTexts()) {
    return html`<${NotStaff} session=${session} />`;
  }
  return html`<${SessionContext.Provider} value=${session}>
    <${ConsoleFrame} />
    <${Questions} session=${session} onSignedIn=${setMe} />
  <//>`;
}

/** Ends the session. @throws Problem if the service does not end it */
async function endSession(): Promise<void> {
  if (!confirmLeave()) return;
  await callApi("POST /auth/logout", {});
  discardUnsavedTexts();
  location.assign("/console");
}

/** The dialogs that a request opens: to sign in again, and to confirm. */
function Questions({
  session: { me, refresh },
  onSignedIn,
}: {
  readonly session: Session;
  readonly onSignedIn: (me: CurrentUser) => void;
}): VNode {
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  useEffect(() => {
    const ask = <Answer>(question: (answer: (given: Answer) => void) => Question) =>
      new Promise<Answer>((resolve) => setQuestions((open) => [...open, question(resolve)]));
    setCallHandlers({
      signInAgain: () => ask((answer) => ({ kind: "signIn", answer })),
      confirm: (problem) => ask((answer) => ({ kind: "confirm", problem, answer })),
      checkRole: () => void refresh(),
    });
  }, [refresh]);
  /** One sign-in answers all requests that wait for it. */
  const settleSignIn = (signedIn: CurrentUser | null) => {
    setQuestions((open) => open.filter(({ kind }) => kind !== "signIn"));
    const isSame = signedIn?.id === me.id;
    if (signedIn) onSignedIn(signedIn);
    // Another user must neither send the requests nor see the page of this user.
    for (const one of questions) if (one.kind === "signIn") one.answer(isSame);
    if (signedIn && !isSame) location.reload();
  };
  const [first] = questions;
  useSignInElsewhere((signedIn) => {
    if (first?.kind === "signIn" || signedIn.id !== me.id) settleSignIn(signedIn);
  });
  const settleConfirm = (question: Question, given: Confirmation | null) => {
    setQuestions((open) => open.filter((one) => one !== question));
    if (question.kind === "confirm") question.answer(given);
  };
  if (first?.kind === "confirm") {
    const onAnswer = (given: Confirmation | null) => settleConfirm(first, given);
    return html`<${ConfirmDialog} problem=${first.problem} onAnswer=${onAnswer} />`;
  }
  return html`${
    first &&
    html`<${Dialog} title=${words.signIn.again} onClose=${() => settleSignIn(null)}>
    <p>${words.signIn.againReason}</p>
    <${SignIn} onSignedIn=${settleSignIn} username=${me.username} isInDialog />
  <//>`
  }`;
}

/** Reads the user again when the person comes back from another tab, which has the same session. */
function useSignInElsewhere(onRead: (me: CurrentUser) => void): void {
  const latest = useRef(onRead);
  latest.current = onRead;
  useEffect(() => {
    const check = async () => {
      const read = document.hidden ? null : await readMe();
      if (isUser(read)) latest.current(read);
    };
    const onChange = () => void check();
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, []);
}

function Unreachable({
  problem,
  retry,
}: {
  readonly problem: Problem;
  readonly retry: () => Promise<void>;
}): VNode {
  return html`<main class="center">
    <h1>${words.title}</h1>
    <${ProblemView} problem=${problem} />
    <button type="button" onClick=${() => void retry()}>${words.actions.tryAgain}</button>
  </main>`;
}

function NotStaff({ session: { me, signOut } }: { readonly session: Session }): VNode {
  return html`<main class="center">
    <h1>${words.title}</h1>
    <p>${words.notStaff(me.username)}</p>
    <${SignOutButton} signOut=${signOut} />
  </main>`;
}
