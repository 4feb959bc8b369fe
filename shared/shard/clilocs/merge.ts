import type { LoadedSource } from "../../imports/results/clilocs.ts";
import { SourceFault } from "../../imports/results/source-fault.ts";
import type { Texts } from "./overlay.ts";

/** More of text than any client has, in characters. */
const maxLength = 64 * 1024 * 1024;
const maxTexts = 2_000_000;

/** Texts as sources bring them, one over the other. Blank ones are dropped, and hide nothing. */
export class MergedTexts {
  readonly texts = new Map<number, string>();
  readonly sources: LoadedSource[] = [];
  parsed = 0;
  blank = 0;
  #length = 0;

  /** Lays a source over those before it. */
  add(label: string, kind: LoadedSource["kind"], texts: Texts): void {
    this.begin(label, kind)(texts);
  }

  /** Begins a source that comes in pieces. @returns what takes each of them */
  begin(label: string, kind: LoadedSource["kind"]): (texts: Texts) => void {
    const before = new Set(this.texts.keys());
    const overridden = new Set<number>();
    const at = this.sources.length;
    const take = (texts: Texts): void => {
      for (const [number, text] of texts) {
        if (this.#put(number, text) && before.has(number)) overridden.add(number);
      }
      const added = this.texts.size - before.size;
      const overrode = overridden.size;
      this.sources[at] = { label, kind, entries: added + overrode, added, overrode };
    };
    take([]);
    return take;
  }

  #put(number: number, text: string): boolean {
    this.parsed += 1;
    if (text === "") this.blank += 1;
    else this.texts.set(number, text);
    this.#length += text.length;
    if (this.#length > maxLength || this.parsed > maxTexts) {
      throw new SourceFault("TOO_LARGE", "the texts are more than any client has");
    }
    return text !== "";
  }
}
