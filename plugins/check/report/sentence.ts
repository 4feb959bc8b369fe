import {
  guidePath,
  type GuideSection,
  guideSections,
} from "../../../shared/platform/bridge/guide-sections.ts";

/** A requirement of the protocol. */
export interface Sentence {
  /** The name of its check, for `--only`. */
  readonly check: string;
  readonly text: string;
  /** Sections of the plugin guide that state it. */
  readonly from: readonly GuideSection[];
}

export type Sentences = Readonly<Record<string, Sentence>>;

type Declared = readonly [text: string, ...from: readonly GuideSection[]];

export function sentencesOf<const Texts extends Readonly<Record<string, Declared>>>(
  check: string,
  texts: Texts,
): { readonly [Id in keyof Texts]: Sentence } {
  const sentences = Object.entries<Declared>(texts).map(
    ([id, [text, ...from]]): [string, Sentence] => [id, { check, text, from }],
  );
  return Object.fromEntries(sentences) as { readonly [Id in keyof Texts]: Sentence };
}

export const sectionOf = (section: GuideSection) => ({
  title: guideSections[section],
  link: `${guidePath}#${section}`,
});

/** A case that violates a requirement. */
export interface Finding {
  readonly expected: string;
  readonly got: string;
  /** An excerpt of what was sent. */
  readonly bytes?: string | undefined;
}

/**
 * `not seen`: the game did not do what the check needs, so the result is unknown. `does not apply`: the
 * program does not have the feature.
 */
export type Status = "passed" | "failed" | "not seen" | "does not apply";

export interface Verdict extends Sentence {
  readonly id: string;
  readonly status: Status;
  readonly why?: string | undefined;
  /** The first findings; `count` is the total. */
  readonly findings: readonly Finding[];
  readonly count: number;
}
