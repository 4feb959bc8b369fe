import type { JSONVisitor } from "jsonc-parser";

import { pointerTo } from "../../pointer-faults.ts";
import { type JsonFault, visitConfig } from "./config-json.ts";

/** An object or a list of a configuration. */
export interface ConfigContainer {
  readonly pointer: string;
  /** Of a list the key that it stands under, also through other lists. */
  readonly key: string | undefined;
  readonly isList: boolean;
  readonly parent: ConfigContainer | undefined;
}

/** A text of a configuration, and where it stands. */
export interface ConfigText {
  readonly value: string;
  /** The key that it stands under; of a text in a list, that of the list. */
  readonly key: string | undefined;
  readonly pointer: string;
  readonly container: ConfigContainer | undefined;
  readonly offset: number;
  readonly length: number;
}

export interface ConfigTexts {
  readonly texts: readonly ConfigText[];
  /** How many entries each list has, by its pointer. */
  readonly lengths: ReadonlyMap<string, number>;
}

/** The texts of a configuration; undefined where it is no JSON. */
export function readConfigTexts(text: string): ConfigTexts | { readonly fault: JsonFault } {
  const reader = new TextReader();
  const fault = visitConfig(text, reader.visitor);
  return fault ? { fault } : reader;
}

interface Open extends ConfigContainer {
  entries: number;
  /** The property that is being read. */
  property: string;
}

/** Keeps the way to what is read, since asking the parser for it takes as long as the way is. */
class TextReader implements ConfigTexts {
  readonly texts: ConfigText[] = [];
  readonly lengths = new Map<string, number>();
  readonly #open: Open[] = [];

  readonly visitor: JSONVisitor = {
    onObjectBegin: () => this.#enter(false),
    onArrayBegin: () => this.#enter(true),
    onObjectEnd: () => this.#leave(),
    onArrayEnd: () => this.#leave(),
    onObjectProperty: (name) => {
      const container = this.#open.at(-1);
      if (container) container.property = name;
    },
    onLiteralValue: (value: unknown, offset, length) => {
      const place = this.#place();
      if (typeof value === "string") this.texts.push({ ...place, value, offset, length });
    },
  };

  #place(): Pick<ConfigText, "key" | "pointer" | "container"> {
    const container = this.#open.at(-1);
    if (!container) return { key: undefined, pointer: "", container };
    if (!container.isList) {
      const { property } = container;
      return { key: property, pointer: container.pointer + pointerTo([property]), container };
    }
    const pointer = `${container.pointer}/${container.entries}`;
    container.entries += 1;
    return { key: container.key, pointer, container };
  }

  #enter(isList: boolean): void {
    const { key, pointer, container: parent } = this.#place();
    this.#open.push({ key, pointer, parent, isList, entries: 0, property: "" });
  }

  #leave(): void {
    const container = this.#open.pop();
    if (container?.isList) this.lengths.set(container.pointer, container.entries);
  }
}
