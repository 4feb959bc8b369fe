/** One sentence of the specification that a check judges. */
export interface Sentence {
  /** The check that judges it, which `--only` names. */
  readonly check: string;
  readonly text: string;
  /** Where the specification says it. */
  readonly from: string;
}

export type Sentences = Readonly<Record<string, Sentence>>;

/** Declares the sentences of one check. */
export const sentencesOf = <
  const Texts extends Readonly<Record<string, readonly [string, string]>>,
>(
  check: string,
  texts: Texts,
): { readonly [Id in keyof Texts]: Sentence } =>
  Object.fromEntries(
    Object.entries(texts).map(([id, [text, from]]) => [id, { check, text, from }]),
  ) as { readonly [Id in keyof Texts]: Sentence };

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
