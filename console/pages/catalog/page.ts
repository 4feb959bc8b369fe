import type { ComponentType } from "preact";

import type { OperationName } from "../../api/call.ts";
import type { PageProps } from "../../shell/frame.ts";
import type { Words } from "../../words/en.ts";

/** A group of the menu. */
export type MenuGroup = keyof Words["menuGroups"];

export interface Page {
  /** The address, with parameters such as `:id`. */
  readonly path: string;
  /** The address of the entry of the menu that the page belongs to. */
  readonly section: string;
  /** The group of the menu that the entry is in. Null for Home and for the own account. */
  readonly group: MenuGroup | null;
  readonly name: keyof Words["pages"];
  /** The page is shown to those who may call this operation. */
  readonly needs: OperationName;
  readonly isInMenu: boolean;
  readonly load: () => Promise<ComponentType<PageProps>>;
}

/** A page as its group declares it. */
export interface Declared extends Pick<Page, "path" | "name" | "needs" | "load"> {
  /** For a page that is not in the menu: the entry that it belongs to. */
  readonly within?: string;
}
