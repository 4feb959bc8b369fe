import {
  guidePath,
  type GuideSection,
  guideSections,
} from "../../../shared/platform/bridge/guide-sections.ts";

/** A requirement of the protocol. */
export interface Requirement {
  /** The name of the check that tests the requirement. The option `--only` accepts this name. */
  readonly check: string;
  readonly text: string;
  /** The sections of the plugin guide that state the requirement. */
  readonly from: readonly GuideSection[];
}

export type Requirements = Readonly<Record<string, Requirement>>;

type RequirementText = readonly [text: string, ...from: readonly GuideSection[]];

export function declareRequirements<const Texts extends Readonly<Record<string, RequirementText>>>(
  check: string,
  texts: Texts,
): { readonly [Id in keyof Texts]: Requirement } {
  const sentences = Object.entries<RequirementText>(texts).map(
    ([id, [text, ...from]]): [string, Requirement] => [id, { check, text, from }],
  );
  return Object.fromEntries(sentences) as { readonly [Id in keyof Texts]: Requirement };
}

export const guideSectionOf = (section: GuideSection) => ({
  title: guideSections[section],
  link: `${guidePath}#${section}`,
});

/** A case that violates a requirement. */
export interface Finding {
  readonly expected: string;
  readonly got: string;
  /** An excerpt of the text that the program sent. */
  readonly bytes?: string | undefined;
}

/**
 * `not seen`: the result is unknown, because the game did not do what the check needs. `does not apply`: the
 * program does not have the feature.
 */
export type RequirementStatus = "passed" | "failed" | "not seen" | "does not apply";

export interface Verdict extends Requirement {
  readonly id: string;
  readonly status: RequirementStatus;
  readonly why?: string | undefined;
  /** The first findings; `count` is the total. */
  readonly findings: readonly Finding[];
  readonly count: number;
}
