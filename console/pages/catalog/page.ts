import type { ComponentType } from "preact";

import type { OperationName } from "../../api/call.ts";
import type { PageProps } from "../../shell/frame.ts";
import type { ConsoleTexts } from "../../words/en.ts";

/** A group of the menu. */
export type MenuGroup = keyof ConsoleTexts["menuGroups"];

export interface Page {
  /** The address, with parameters such as `:id`. */
  readonly path: string;
  /** The address of the menu entry that the page belongs to. */
  readonly section: string;
  /** The menu group of that entry; null for Home and for the user's own account. */
  readonly group: MenuGroup | null;
  readonly name: keyof ConsoleTexts["pages"];
  /** The page is shown to those who may call this operation. */
  readonly needs: OperationName;
  readonly isInMenu: boolean;
  readonly load: () => Promise<ComponentType<PageProps>>;
}

/** A page as its group declares it. */
export interface PageDeclaration extends Pick<Page, "path" | "name" | "needs" | "load"> {
  /** The address of the menu entry that the page belongs to, if the page itself is not in the menu. */
  readonly within?: string;
}
