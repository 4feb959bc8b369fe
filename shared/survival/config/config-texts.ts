import type { JSONVisitor } from "jsonc-parser";

import { pointerTo } from "../../platform/errors/pointer-faults.ts";
import { isPairedValue, namesPair, namesSecret } from "../../platform/secret-texts/secret-names.ts";
import { type JsonFault, visitConfig } from "./config-json.ts";

/** An object or a list of a configuration. */
export interface ConfigContainer {
  readonly pointer: string;
  readonly isList: boolean;
  readonly parent: ConfigContainer | undefined;
  /** The key that it stands under, if any. */
  readonly name: string | undefined;
  /** Whether an entry of it names another one as secret: `"name": "Api token"` beside `"value"`. */
  readonly hasPairedSecret: boolean;
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
  /** The key that it stands under, if any. */
  readonly name: string | undefined;
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

/** Whether something stands at any depth below the value of an entry that is named as secret beside it. */
export function isPairedSecret({
  name,
  container,
}: Pick<ConfigLeaf, "name" | "container">): boolean {
  if (!container) return false;
  const isValue = container.hasPairedSecret && name !== undefined && isPairedValue(name);
  return isValue || isPairedSecret({ name: container.name, container: container.parent });
}

interface Open extends ConfigContainer {
  readonly isNamedSecret: boolean;
  readonly keys: Set<string>;
  entries: number;
  hasPairedSecret: boolean;
  /** Whether the entry before names the next one of a list: `"-token", "…"`. */
  isNextSecret: boolean;
  /** The property that is being read. */
  property: string;
}

/** An option of a command line. */
const isOption = /^[+-]/;

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
      if (typeof value === "string") this.#noteNamed(value);
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

  /** Notes what a text says of the entries beside it. */
  #noteNamed(text: string): void {
    const container = this.#open.at(-1);
    if (!container) return;
    if (!container.isList) {
      container.hasPairedSecret ||= namesPair(container.property, text);
      return;
    }
    const isFirstOfPair = container.entries === 1 && container.parent?.isList === true;
    container.isNextSecret = (isFirstOfPair || isOption.test(text)) && namesSecret(text);
  }

  /** Whether a key above the place that is being read names a secret. */
  #isSecret(): boolean {
    const container = this.#open.at(-1);
    if (!container) return false;
    return container.isNamedSecret || (!container.isList && namesSecret(container.property));
  }

  #place(): Pick<ConfigLeaf, "pointer" | "container" | "isNamedSecret" | "name"> {
    const container = this.#open.at(-1);
    const isNamedSecret = this.#isSecret() || container?.isNextSecret === true;
    if (!container) return { pointer: "", container, isNamedSecret, name: undefined };
    if (!container.isList) {
      const name = container.property;
      return { pointer: container.pointer + pointerTo([name]), container, isNamedSecret, name };
    }
    const pointer = `${container.pointer}/${container.entries}`;
    container.entries += 1;
    container.isNextSecret = false;
    return { pointer, container, isNamedSecret, name: undefined };
  }

  #enter(isList: boolean): void {
    const { container: parent, ...place } = this.#place();
    const nothingYet = { entries: 0, property: "", hasPairedSecret: false, isNextSecret: false };
    this.#open.push({ ...place, ...nothingYet, parent, isList, keys: new Set() });
  }

  #leave(): void {
    const container = this.#open.pop();
    if (container?.isList) this.lengths.set(container.pointer, container.entries);
  }
}
