import type { JSONVisitor } from "jsonc-parser";

import { toJsonPointer } from "../../platform/errors/pointer-faults.ts";
import {
  isPairedValueKey,
  isSecretNameEntry,
  isSecretName,
} from "../../platform/secret-texts/secret-names.ts";
import { type JsonFault, visitConfig } from "./config-json.ts";

export interface ConfigContainer {
  readonly pointer: string;
  readonly isList: boolean;
  readonly parent: ConfigContainer | undefined;
  /** The key under which the container is stored; undefined in a list. */
  readonly name: string | undefined;
  /** True if one entry marks its neighbor as secret: `"name": "Api token"` next to `"value"`. */
  readonly hasPairedSecret: boolean;
}

interface PartPosition {
  readonly offset: number;
  readonly length: number;
  /** True if a key above the part names a secret. */
  readonly isNamedSecret: boolean;
}

/** A text, a number or one of `true`, `false` and `null`. */
export interface ConfigLeaf extends PartPosition {
  readonly part: "text" | "number" | "word";
  /** The content of a string, or the source text of any other value. */
  readonly value: string;
  readonly pointer: string;
  readonly container: ConfigContainer | undefined;
  /** The key of the value; undefined in a list. */
  readonly name: string | undefined;
}

export interface ConfigKey extends PartPosition {
  readonly part: "key";
  readonly value: string;
  readonly pointer: string;
}

export interface ConfigComment extends PartPosition {
  readonly part: "comment";
  /** The comment, including its marks. */
  readonly value: string;
}

export type ConfigPart = ConfigLeaf | ConfigKey | ConfigComment;

export const isLeaf = (part: ConfigPart): part is ConfigLeaf =>
  part.part !== "key" && part.part !== "comment";

export interface ConfigParts {
  /** The parts in textual order. */
  readonly parts: readonly ConfigPart[];
  /** Number of entries of each list, by pointer. */
  readonly lengths: ReadonlyMap<string, number>;
  /** The first duplicate key of an object. Its value is ambiguous. */
  readonly doubled: ConfigKey | undefined;
}

/** Reads the parts of a configuration, or the fault of invalid JSON. */
export function readConfigParts(text: string): ConfigParts | { readonly fault: JsonFault } {
  const reader = new TextReader(text);
  const fault = visitConfig(text, reader.visitor);
  return fault ? { fault } : reader;
}

/** True if a neighboring entry marks the value, or a container of the value, as secret. */
export function isPairedSecret({
  name,
  container,
}: Pick<ConfigLeaf, "name" | "container">): boolean {
  if (!container) return false;
  const isValue = container.hasPairedSecret && name !== undefined && isPairedValueKey(name);
  return isValue || isPairedSecret({ name: container.name, container: container.parent });
}

interface OpenContainer extends ConfigContainer {
  readonly isNamedSecret: boolean;
  readonly keys: Set<string>;
  entries: number;
  hasPairedSecret: boolean;
  /** True if the previous list entry names a secret, which the next entry holds: `"-token", "…"`. */
  isNextSecret: boolean;
  /** The key of the property that is being read. */
  property: string;
}

/** A command-line option such as `-token`. */
const isOption = /^[+-]/;

/**
 * Collects the parts. Tracks the path itself, because the parser computes it in time proportional to the depth.
 */
class TextReader implements ConfigParts {
  readonly parts: ConfigPart[] = [];
  readonly lengths = new Map<string, number>();
  doubled: ConfigKey | undefined;
  readonly #open: OpenContainer[] = [];
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
    const pointer = container.pointer + toJsonPointer([name]);
    const { isNamedSecret } = container;
    const key = { part: "key", value: name, pointer, offset, length, isNamedSecret } as const;
    this.parts.push(key);
    if (container.keys.has(name)) this.doubled ??= key;
    container.keys.add(name);
  }

  /** Records that a text marks a neighboring entry as secret. */
  #noteNamed(text: string): void {
    const container = this.#open.at(-1);
    if (!container) return;
    if (!container.isList) {
      container.hasPairedSecret ||= isSecretNameEntry(container.property, text);
      return;
    }
    const isFirstOfPair = container.entries === 1 && container.parent?.isList === true;
    container.isNextSecret = (isFirstOfPair || isOption.test(text)) && isSecretName(text);
  }

  /** Returns true if a key above the current position names a secret. */
  #isSecret(): boolean {
    const container = this.#open.at(-1);
    if (!container) return false;
    return container.isNamedSecret || (!container.isList && isSecretName(container.property));
  }

  #place(): Pick<ConfigLeaf, "pointer" | "container" | "isNamedSecret" | "name"> {
    const container = this.#open.at(-1);
    const isNamedSecret = this.#isSecret() || container?.isNextSecret === true;
    if (!container) return { pointer: "", container, isNamedSecret, name: undefined };
    if (!container.isList) {
      const name = container.property;
      return { pointer: container.pointer + toJsonPointer([name]), container, isNamedSecret, name };
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
