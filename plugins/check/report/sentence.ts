import {
  guidePath,
  type GuideSection,
  guideSections,
} from "../../../shared/platform/bridge/guide-sections.ts";

/** One sentence of the protocol that a check judges. */
export interface Sentence {
  /** The check that judges it, which `--only` names. */
  readonly check: string;
  readonly text: string;
  /** Where the page for people who write a plugin says it. */
  readonly from: readonly GuideSection[];
}

export type Sentences = Readonly<Record<string, Sentence>>;

type Declared = readonly [text: string, ...from: readonly GuideSection[]];

/** Declares the sentences of one check. */
export function sentencesOf<const Texts extends Readonly<Record<string, Declared>>>(
  check: string,
  texts: Texts,
): { readonly [Id in keyof Texts]: Sentence } {
  const sentences = Object.entries<Declared>(texts).map(
    ([id, [text, ...from]]): [string, Sentence] => [id, { check, text, from }],
  );
  return Object.fromEntries(sentences) as { readonly [Id in keyof Texts]: Sentence };
}

/** A section of the page, by its title and where every site has it. */
export const sectionOf = (section: GuideSection) => ({
  title: guideSections[section],
  link: `${guidePath}#${section}`,
});

/** One case in which a sentence did not hold. */
export interface Finding {
  readonly expected: string;
  readonly got: string;
  /** What was sent, as far as it is worth showing. */
  readonly bytes?: string | undefined;
}

/**
 * `not seen`: the game did not do what the check needs, so nobody knows. `does not apply`: the program
 * says that it does not have what the sentence is about.
 */
export type Status = "passed" | "failed" | "not seen" | "does not apply";

export interface Verdict extends Sentence {
  readonly id: string;
  readonly status: Status;
  /** Why it was not seen or does not apply. */
  readonly why?: string | undefined;
  /** The first findings; `count` says how many there were. */
  readonly findings: readonly Finding[];
  readonly count: number;
}
