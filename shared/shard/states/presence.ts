import type { InferAttributes } from "sequelize";

import type { OnlineCharacter } from "../../../models/shard/online-character.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { accountKey } from "../owners/link-mirror.ts";
import type { PayloadFields } from "../visibility/view.ts";
import type { StateHandler } from "./handler.ts";
import {
  addCharactersSql,
  clearPresenceSql,
  removeCharactersSql,
  replaceCharactersSql,
} from "./presence.sql.ts";
import { writeShardValue } from "./single-state.ts";
import {
  findStateEffect,
  type StateEventReach,
  hideStateEvent,
  type StateEvent,
} from "./state-event.ts";

/** Tracks characters in the world: a full list replaces them, a login adds one, a logout removes one. */
export const presenceHandler: StateHandler = {
  apply: applyPresence,
  clear: clearPresenceSql,
};

/** A character in a payload. Fields that the plugin omits are absent or null. */
type Character = Pick<OnlineCharacter, "serial" | "name"> &
  Partial<Pick<InferAttributes<OnlineCharacter>, "map" | "x" | "y" | "z" | "region">> & {
    readonly acct?: string | null;
  };

/** @returns the full lists that changed nothing, so no stream carries them */
async function applyPresence(
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateEventReach[]> {
  const moves = new PresenceChanges();
  const reached: StateEventReach[] = [];
  for (const event of events) {
    if (findStateEffect(event)?.as !== "upsert") {
      moves.addEvent(event);
      continue;
    }
    await moves.write(connection);
    const isNew = await replace(event.payload, event.frame.t, connection);
    if (!isNew) reached.push(hideStateEvent(event));
  }
  await moves.write(connection);
  return reached;
}

/** The logins and logouts since the last full list. Logouts are written before logins. */
class PresenceChanges {
  readonly #here = new Map<string, Character>();
  readonly #gone = new Set<string>();

  addEvent(event: StateEvent): void {
    const character = characterOf(event.payload);
    const { serial } = character;
    if (findStateEffect(event)?.as === "merge") {
      // A second login without a logout may lack the account; then the account of the first login stays.
      const acct = character.acct || this.#here.get(serial)?.acct;
      this.#here.set(serial, { ...character, ...(acct && { acct }) });
    }
    if (findStateEffect(event)?.as === "remove") {
      this.#here.delete(serial);
      this.#gone.add(serial);
    }
  }

  async write(connection: SqlClient): Promise<void> {
    if (this.#gone.size > 0) await remove([...this.#gone], connection);
    if (this.#here.size > 0) await add([...this.#here.values()], connection);
    this.#here.clear();
    this.#gone.clear();
  }
}

function characterOf(payload: PayloadFields): Character {
  const location = (payload["location"] ?? {}) as PayloadFields;
  return { ...location, ...payload } as Character;
}

/** @returns true if the counts or the list changed */
async function replace(payload: PayloadFields, t: number, connection: SqlClient): Promise<boolean> {
  const { players, ...counts } = payload as { players?: readonly Character[] | null };
  const counted = await writeShardValue({ name: "presence", value: counts, t }, connection);
  if (!players) return counted;
  const moved = await executeStatement(connection, replaceCharactersSql, valuesOf(players));
  return counted || moved > 0;
}

const remove = (serials: readonly string[], connection: SqlClient): Promise<unknown> =>
  executeStatement(connection, removeCharactersSql, [serials]);

const add = (characters: readonly Character[], connection: SqlClient): Promise<unknown> =>
  executeStatement(connection, addCharactersSql, valuesOf(characters));

function valuesOf(characters: readonly Character[]): unknown[] {
  const bySerial = [
    ...new Map(characters.map((character) => [character.serial, character])).values(),
  ];
  return [
    bySerial.map(({ serial }) => serial),
    bySerial.map(({ name }) => name),
    bySerial.map(({ acct }) => (acct ? accountKey(acct) : null)),
    bySerial.map(({ map }) => map ?? null),
    bySerial.map(({ x }) => x ?? null),
    bySerial.map(({ y }) => y ?? null),
    bySerial.map(({ z }) => z ?? null),
    bySerial.map(({ region }) => region ?? null),
  ];
}
