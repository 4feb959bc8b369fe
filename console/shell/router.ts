import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** The event with which `navigate` tells the router of a new address. */
const moved = "console:moved";

export interface Location {
  readonly path: string;
  readonly query: URLSearchParams;
}

const readLocation = (): Location => ({
  path: location.pathname.replace(/(?<=.)\/$/, ""),
  query: new URLSearchParams(location.search),
});

/** The address that is shown, and its number in the history of the tab. */
let shown = { url: "", at: 0 };

function show(url: string, at: number): void {
  shown = { url, at };
  dispatchEvent(new Event(moved));
}

/** Opens a page of the console, unless a form with unsaved texts prevents it. */
export function navigate(url: string, { replace = false } = {}): void {
  if (!replace && !confirmLeave()) return;
  const at = replace ? shown.at : shown.at + 1;
  history[replace ? "replaceState" : "pushState"]({ at }, "", url);
  show(url, at);
}

/** Returns a function that opens a page after a request, unless the person has left this page meanwhile. */
export function useNavigate(): typeof navigate {
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  return (url, options) => {
    if (isShown.current) navigate(url, options);
  };
}

/** Returns the present address and follows its changes. */
export function useLocation(): Location {
  const [current, setCurrent] = useState(readLocation);
  useEffect(() => {
    const follow = () => setCurrent(readLocation());
    addEventListener(moved, follow);
    return () => removeEventListener(moved, follow);
  }, []);
  return current;
}

const numberIn = (state: unknown): number => Number((Object(state) as { at?: unknown }).at ?? 0);

/** Follows the buttons Back and Forward of the browser, unless a form with unsaved texts prevents it. */
export function followHistory(): () => void {
  shown = { url: location.pathname + location.search, at: numberIn(history.state) };
  const onMove = ({ state }: PopStateEvent) => {
    const url = location.pathname + location.search;
    // A link within the page, such as the one to its content, adds an entry without a number.
    if (state === null && url === shown.url) history.replaceState({ at: shown.at + 1 }, "");
    const at = numberIn(history.state);
    if (url === shown.url) shown = { url, at };
    else if (confirmLeave()) show(url, at);
    else history.go(shown.at - at);
  };
  addEventListener("popstate", onMove);
  return () => removeEventListener("popstate", onMove);
}

/** Changes parameters of the present address. An empty value removes its parameter. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  navigate(url.pathname + url.search, { replace: true });
}

/** Lets clicks on links open pages of the console without a new document. */
export function followLinks(isOfConsole: (path: string) => boolean): () => void {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || isForBrowser(event, link) || !isOfConsole(link.pathname)) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  };
  document.addEventListener("click", onClick);
  return () => document.removeEventListener("click", onClick);
}

/** Returns true for a click that the browser handles: one in another tab, to another site or within the page. */
function isForBrowser(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const opensTab = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey;
  const isWithin = link.hash !== "" && link.pathname === location.pathname;
  const isElsewhere = link.target !== "" || link.origin !== location.origin;
  return event.defaultPrevented || opensTab || isWithin || isElsewhere || link.download !== "";
}

const unsaved = new Set<object>();
let question = "";

/** Sets the question that is asked before unsaved texts are lost. */
export function setLeaveQuestion(text: string): void {
  question = text;
}

/** Returns true while a form contains texts that are not saved. */
export const hasUnsavedTexts = (): boolean => unsaved.size > 0;

/** Returns true if there are no unsaved texts, or if the person agrees to lose them. */
export const confirmLeave = (): boolean => unsaved.size === 0 || confirm(question);

/** Lets the person leave the page without a question. */
export const discardUnsavedTexts = (): void => unsaved.clear();

/** Asks before the person leaves the page while `isDirty`. */
export function useUnsavedWarning(isDirty: boolean): void {
  // Not `useEffect`, which runs only after the next frame: the person may leave before it.
  useLayoutEffect(() => {
    if (!isDirty) return undefined;
    const mark = {};
    unsaved.add(mark);
    const onUnload = (event: BeforeUnloadEvent) => {
      if (unsaved.has(mark)) event.preventDefault();
    };
    addEventListener("beforeunload", onUnload);
    return () => {
      unsaved.delete(mark);
      removeEventListener("beforeunload", onUnload);
    };
  }, [isDirty]);
}
