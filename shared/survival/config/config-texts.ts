import type { JSONVisitor } from "jsonc-parser";

import { pointerTo } from "../../pointer-faults.ts";
import { namesSecret } from "../../secret-texts/secret-names.ts";
import { type JsonFault, visitConfig } from "./config-json.ts";

/** An object or a list of a configuration. */
export interface ConfigContainer {
  readonly pointer: string;
  readonly isList: boolean;
  readonly parent: ConfigContainer | undefined;
}

interface Placed {
  readonly offset: number;
  readonly length: number;
  /** Whether a key above it names a secret. */
  readonly isNamedSecret: boolean;
}

/** A text, a number or one of `true`, `false` and `null`, which stands under a key or in a list. */
export interface ConfigLeaf extends Placed {
  readonly part: "text" | "number" | "word";
  /** Of a text what it says, of the others how they are written. */
  readonly value: string;
  readonly pointer: string;
  readonly container: ConfigContainer | undefined;
}

/** The key of an object's entry. */
export interface ConfigKey extends Placed {
  readonly part: "key";
  readonly value: string;
  readonly pointer: string;
}

export interface ConfigComment extends Placed {
  readonly part: "comment";
  /** With its signs. */
  readonly value: string;
}

export type ConfigPart = ConfigLeaf | ConfigKey | ConfigComment;

export const isLeaf = (part: ConfigPart): part is ConfigLeaf =>
  part.part !== "key" && part.part !== "comment";

export interface ConfigTexts {
  /** In the order in which they are written. */
  readonly parts: readonly ConfigPart[];
  /** How many entries each list has, by its pointer. */
  readonly lengths: ReadonlyMap<string, number>;
  /** The first key that an object has twice: what stands under it cannot be told apart. */
  readonly doubled: ConfigKey | undefined;
}

/** What stands in a configuration, and where; the fault of one that is no JSON. */
export function readConfigTexts(text: string): ConfigTexts | { readonly fault: JsonFault } {
  const reader = new TextReader(text);
  const fault = visitConfig(text, reader.visitor);
  return fault ? { fault } : reader;
}

interface Open extends ConfigContainer {
  readonly isNamedSecret: boolean;
  readonly keys: Set<string>;
  entries: number;
  /** The property that is being read. */
  property: string;
}

/** Keeps the way to what is read, since asking the parser for it takes as long as the way is. */
class TextReader implements ConfigTexts {
  readonly parts: ConfigPart[] = [];
  readonly lengths = new Map<string, number>();
  doubled: ConfigKey | undefined;
  readonly #open: Open[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  readonly visitor: JSONVisitor = {
    onObjectBegin: () => this.#enter(false),
    onArrayBegin: () => this.#enter(true),
    onObjectEnd: () => this.#leave(),
    onArrayEnd: () => this.#leave(),
    onObjectProperty: (name, offset, length) => this.#addKey(name, offset, length),
    onLiteralValue: (value: unknown, offset, length) => {
      const written = this.#text.slice(offset, offset + length);
      const part = { string: "text", number: "number" }[typeof value as string] ?? "word";
      this.parts.push({
        ...this.#place(),
        part: part as ConfigLeaf["part"],
        value: typeof value === "string" ? value : written,
        offset,
        length,
      });
    },
    onComment: (offset, length) => {
      const value = this.#text.slice(offset, offset + length);
      this.parts.push({ part: "comment", value, offset, length, isNamedSecret: this.#isSecret() });
    },
  };

  #addKey(name: string, offset: number, length: number): void {
    const container = this.#open.at(-1);
    if (!container) return;
    container.property = name;
    const pointer = container.pointer + pointerTo([name]);
    const { isNamedSecret } = container;
    const key = { part: "key", value: name, pointer, offset, length, isNamedSecret } as const;
    this.parts.push(key);
    if (container.keys.has(name)) this.doubled ??= key;
    container.keys.add(name);
  }

  /** Whether a key above the place that is being read names a secret. */
  #isSecret(): boolean {
    const container = this.#open.at(-1);
    if (!container) return false;
    return container.isNamedSecret || (!container.isList && namesSecret(container.property));
  }

  #place(): Pick<ConfigLeaf, "pointer" | "container" | "isNamedSecret"> {
    const container = this.#open.at(-1);
    const isNamedSecret = this.#isSecret();
    if (!container) return { pointer: "", container, isNamedSecret };
    if (!container.isList) {
      const pointer = container.pointer + pointerTo([container.property]);
      return { pointer, container, isNamedSecret };
    }
    const pointer = `${container.pointer}/${container.entries}`;
    container.entries += 1;
    return { pointer, container, isNamedSecret };
  }

  #enter(isList: boolean): void {
    const { pointer, container: parent, isNamedSecret } = this.#place();
    const keys = new Set<string>();
    this.#open.push({ pointer, parent, isList, isNamedSecret, keys, entries: 0, property: "" });
  }

  #leave(): void {
    const container = this.#open.pop();
    if (container?.isList) this.lengths.set(container.pointer, container.entries);
  }
}
