import type { ComponentType, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { findPage, isConsolePath } from "../pages/catalog.ts";
import type { Page } from "../pages/catalog/page.ts";
import { html } from "../parts/html.ts";
import { words } from "../words/words.ts";
import { Navigation } from "./navigation.ts";
import { followHistory, followLinks, hasUnsavedTexts, useLocation } from "./router.ts";
import { useAccessCheck, useSession } from "./session.ts";
import { SignOutButton } from "./sign-out-button.ts";

export interface PageProps {
  /** The values of the parameters in the page's path. */
  readonly params: Readonly<Record<string, string>>;
}

/** The navigation and the present page. */
export function ConsoleFrame(): VNode {
  const { path } = useLocation();
  const may = useAccessCheck();
  useEffect(() => followLinks(isConsolePath), []);
  useEffect(() => followHistory(), []);
  const found = findPage(path);
  const allowed = useRef("");
  if (found && may(found.page.needs)) allowed.current = path;
  // The page stays if the role was taken away while it contains texts that are not saved.
  const isAllowed =
    found !== null && allowed.current === path && (may(found.page.needs) || hasUnsavedTexts());
  const isLost = found !== null && isAllowed && !may(found.page.needs);
  return html`<div class="frame">
    <a class="skip" href="#page">${words.skip}</a>
    <${Header} section=${found?.page.section} />
    <${Main} found=${isAllowed ? found : null} isRefused=${found !== null} isLost=${isLost} />
  </div>`;
}

/** The menu and the signed-in person. A narrow screen shows them only after a click on the button. */
function Header({ section }: { readonly section: string | undefined }): VNode {
  const { me, signOut } = useSession();
  const [isOpen, setOpen] = useState(false);
  return html`<header>
    <div class="row">
      <a class="brand" href="/console">${words.title}</a>
      <button
        type="button"
        class="opens-menu"
        aria-expanded=${isOpen}
        aria-controls="menu"
        onClick=${() => setOpen(!isOpen)}
      >
        ${words.openMenu}
      </button>
    </div>
    <div id="menu" class=${isOpen ? "open" : ""} onClick=${() => setOpen(false)}>
      <${Navigation} section=${section} />
      <div class="who">
        <a href="/console/account">${me.username}</a>
        <span class="soft">${words.roles[me.role]}</span>
        <${SignOutButton} signOut=${signOut} />
      </div>
    </div>
  </header>`;
}

type PageAtAddress = NonNullable<ReturnType<typeof findPage>>;

function Main({
  found,
  isRefused,
  isLost,
}: {
  readonly found: PageAtAddress | null;
  readonly isRefused: boolean;
  readonly isLost: boolean;
}): VNode {
  const View = usePage(found?.page ?? null);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const address = found ? location.pathname : "";
  const missing = isRefused ? words.refused : words.notFound;
  useEffect(() => {
    // A new page gets the focus, so that a screen reader reads its heading.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [address]);
  useEffect(() => {
    document.title = `${found ? words.pages[found.page.name] : missing} · ${words.title}`;
  }, [found?.page.name, missing]);
  const content = View ? html`<${View} key=${address} params=${found?.params ?? {}} />` : null;
  return html`<main id="page" ref=${main} tabindex="-1">
    ${isLost && html`<p class="notice bad" role="alert"><span>${words.roleLost}</span></p>`}
    ${found ? (content ?? html`<p class="soft">${words.loading}</p>`) : html`<h1>${missing}</h1>`}
  </main>`;
}

/** Loads the module of a page. @returns null until it is loaded */
function usePage(page: Page | null): ComponentType<PageProps> | null {
  const [loaded, setLoaded] = useState<{ page: Page; view: ComponentType<PageProps> } | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    let isCurrent = true;
    setFault(null);
    page?.load().then(
      (view) => isCurrent && setLoaded({ page, view }),
      (error: unknown) => isCurrent && setFault(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [page]);
  if (fault) return LoadFault;
  return loaded && loaded.page === page ? loaded.view : null;
}

/** A page could not be loaded, as after an update of the service. */
function LoadFault(): VNode {
  return html`<div class="notice bad" role="alert">
    <p>${words.problems.pageNotLoaded}</p>
    <button type="button" onClick=${() => location.reload()}>${words.actions.reload}</button>
  </div>`;
}
