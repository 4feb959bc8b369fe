import { Op } from "sequelize";

import type { AtlasCreature } from "../../../models/atlas/atlas-creature.ts";
import type { Models } from "../../../models/index.ts";
import {
  type CreatureBodyLookupResult,
  blankBodyLookupResult,
} from "../../imports/results/assets.ts";
import type { ImportRun } from "../../imports/runs/run-import.ts";
import { type BridgeCode, BridgeError } from "../../platform/bridge/bridge-error.ts";
import { fetchCreatureBodies, type CreatureBodyAnswer, maxBodyTypes } from "../calls/body-calls.ts";
import { type ShardAssets, sourceFaultOf } from "./shard-assets.ts";
import type { AssetStage } from "./stage.ts";

/** Errors of the call for bodies that do not fail the import. Creatures then keep their stored bodies. */
const toleratedCodes: readonly BridgeCode[] = [
  "UNSUPPORTED",
  "DISABLED",
  "NO_SOURCE",
  "NOT_FOUND",
  "INVALID",
];

export async function lookUpCreatureBodies(
  stage: AssetStage,
  shard: ShardAssets,
  { report }: Pick<ImportRun, "report">,
  models: Models,
): Promise<CreatureBodyLookupResult> {
  let findings = blankBodyLookupResult;
  for (let after = ""; ;) {
    // The atlas may change between two slices. The next import then asks for the new creatures.
    const creatures = await findCreatures(after, models);
    const last = creatures.at(-1);
    if (!last) return describeGaps(findings);
    after = last.typeKey;
    await report("bodies", findings.asked);
    const types = creatures.map(({ type }) => type);
    const answers = await requestBodies(types, shard);
    if (typeof answers === "string") {
      return { ...findings, asked: findings.asked + types.length, reason: answers };
    }
    await stage.addBodies(answers);
    findings = addAnswers(findings, types.length, answers);
  }
}

/** Returns the next creatures of the shown atlas, ordered by type in lower case. */
const findCreatures = (after: string, models: Models): Promise<AtlasCreature[]> =>
  models.AtlasCreature.scope("shown").findAll({
    attributes: ["typeKey", "type"],
    where: { typeKey: { [Op.gt]: after } },
    order: ["typeKey"],
    limit: maxBodyTypes,
  });

/** @returns the answers, or the reason for which the shard refused */
async function requestBodies(
  types: readonly string[],
  { control, names, signal }: ShardAssets,
): Promise<CreatureBodyAnswer[] | string> {
  try {
    return await fetchCreatureBodies(control, types, { signal });
  } catch (error) {
    if (error instanceof BridgeError && toleratedCodes.includes(error.code)) return error.reason;
    throw sourceFaultOf(error, names);
  }
}

function addAnswers(
  findings: CreatureBodyLookupResult,
  asked: number,
  answers: readonly CreatureBodyAnswer[],
): CreatureBodyLookupResult {
  const tally = { ...findings.tally };
  for (const { status } of answers) tally[status] += 1;
  return {
    ...findings,
    asked: findings.asked + asked,
    answered: findings.answered + answers.length,
    tally,
  };
}

function describeGaps(findings: CreatureBodyLookupResult): CreatureBodyLookupResult {
  if (findings.asked === 0) return { ...findings, reason: "The atlas has no creatures" };
  const unanswered = findings.asked - findings.answered;
  return unanswered === 0
    ? findings
    : { ...findings, reason: `The shard did not answer for ${unanswered} creatures` };
}
