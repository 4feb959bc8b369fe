import { guidePath } from "../../../shared/platform/bridge/guide-sections.ts";
import {
  type Finding,
  guideSectionOf,
  type RequirementStatus,
  type Verdict,
} from "./requirement.ts";

export interface CheckResult {
  /** A line that names the program under test. */
  readonly subject: string;
  readonly verdicts: readonly Verdict[];
  /** Information that is neither a success nor a fault. */
  readonly notes: readonly string[];
}

const marks: Readonly<Record<RequirementStatus, string>> = {
  passed: "✓",
  failed: "✗",
  "not seen": "?",
  "does not apply": "–",
};

/**
 * Returns the exit code: 1 if a requirement failed; otherwise 2 if one was not seen; 0 if each passed or does not
 * apply.
 */
export function exitCodeOf({ verdicts }: CheckResult): 0 | 1 | 2 {
  if (verdicts.some(({ status }) => status === "failed")) return 1;
  return verdicts.some(({ status }) => status === "not seen") ? 2 : 0;
}

/** Formats the report as text, one paragraph per check. */
export function formatReport(outcome: CheckResult): string {
  const { subject, verdicts, notes } = outcome;
  const checks = [...new Set(verdicts.map(({ check }) => check))];
  const paragraphs = checks.map((check) =>
    [check, ...verdicts.filter((one) => one.check === check).flatMap(linesOf)].join("\n"),
  );
  return [subject, ...paragraphs, ...notes, guideNote, summaryOf(verdicts)].join("\n\n");
}

const guideNote = `The titles in brackets are sections of ${guidePath} on every site`;

export const formatReportAsJson = (outcome: CheckResult): string => {
  const { subject, notes, verdicts } = outcome;
  const exitCode = exitCodeOf(outcome);
  const sentences = verdicts.map((verdict) => ({
    ...verdict,
    from: verdict.from.map(guideSectionOf),
  }));
  return JSON.stringify({ ok: exitCode === 0, subject, sentences, notes }, undefined, 2);
};

const linesOf = ({ id, status, text, from, why, findings, count }: Verdict): string[] => [
  `  ${marks[status]} ${text} [${id}; ${from.map((section) => guideSectionOf(section).title).join(", ")}]`,
  ...(why === undefined ? [] : [`      ${status}: ${why}`]),
  ...findings.flatMap(findingLines),
  ...(count > findings.length ? [`      and ${count - findings.length} more times`] : []),
];

const findingLines = ({ expected, got, bytes }: Finding): string[] => [
  `      expected: ${expected}`,
  `      got:      ${got}`,
  ...(bytes === undefined ? [] : [`      bytes:    ${bytes}`]),
];

function summaryOf(verdicts: readonly Verdict[]): string {
  const counts = (Object.keys(marks) as RequirementStatus[]).map((status) => {
    const count = verdicts.filter((one) => one.status === status).length;
    return `${count} ${count === 1 && status === "does not apply" ? status : pluralOf(status)}`;
  });
  return `${verdicts.length} sentences: ${counts.join(", ")}`;
}

const pluralOf = (status: RequirementStatus): string =>
  status === "does not apply" ? "do not apply" : status;
