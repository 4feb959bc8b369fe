import type { Transaction } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import { rows } from "../../platform/db/rows.ts";

interface Use {
  readonly actionId: string;
  readonly param: string;
  readonly value: string;
}

/** Whether a step of a spec gives its action the value. */
const uses = (spec: string): string => `exists (
  select from jsonb_path_query(${spec}, '$.phases[*].steps[*]') as step
  where step ->> 'actionId' = $1::text and step -> 'params' ->> $2::text = $3::text)`;

/**
 * The titles of events that give an action this value: as they are written, as they are published,
 * or in a run that is not over. Of an archived event only its runs count.
 */
async function findEventsUsing(
  { actionId, param, value }: Use,
  transaction: Transaction,
): Promise<string[]> {
  const found = await rows<Pick<EventDefinition, "title">>(
    transaction,
    `select title from event_definitions definition
     where state <> 'archived' and ${uses("definition.spec")}
       or exists (
         select from event_versions version
         where version.definition_id = definition.id and ${uses("version.spec")}
           and (state <> 'archived' and version.id = definition.current_version_id
             or exists (select from event_runs run where run.version_id = version.id
               and run.status in ('scheduled', 'running', 'paused'))))
     order by id`,
    [actionId, param, value],
  );
  return found.map(({ title }) => title);
}

/** The titles of events of which a step opens a zone of a preset. @param key of the preset */
export const findEventsOpening = (key: string, transaction: Transaction): Promise<string[]> =>
  findEventsUsing({ actionId: "survival.zone.open", param: "preset", value: key }, transaction);
