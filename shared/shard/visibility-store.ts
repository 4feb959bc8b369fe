import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import type { Listener } from "../db/listen.ts";
import { notify } from "../notify/notify.ts";
import { mergeVisibility, type Visibility, type VisibilityOverrides } from "./visibility.ts";

/** What was stored beside the compiled defaults, by feature. */
export async function readVisibilityOverrides(
  sequelize: Sequelize,
  transaction?: Transaction,
): Promise<VisibilityOverrides> {
  const rows = await sequelize.query<{ feature: string; override: object }>(
    "select feature, override from feature_visibility",
    { type: QueryTypes.SELECT, ...(transaction && { transaction }) },
  );
  return Object.fromEntries(rows.map(({ feature, override }) => [feature, override]));
}

/** Replaces what is stored and tells every process. */
export async function writeVisibilityOverrides(
  sequelize: Sequelize,
  overrides: VisibilityOverrides,
  transaction: Transaction,
): Promise<void> {
  await sequelize.query("delete from feature_visibility", { transaction });
  for (const [feature, override] of Object.entries(overrides)) {
    await sequelize.query("insert into feature_visibility (feature, override) values ($1, $2)", {
      bind: [feature, JSON.stringify(override)],
      transaction,
    });
  }
  await notify("visibility", {}, transaction);
}

/**
 * The visibility in force, held in memory and read again whenever a process saved another.
 * A change reaches open streams and gates within a second.
 */
export class VisibilityStore {
  readonly #sequelize: Sequelize;
  #current: Visibility = mergeVisibility({});
  #reading: Promise<void> = Promise.resolve();

  constructor(sequelize: Sequelize, listener: Listener) {
    this.#sequelize = sequelize;
    listener.on("visibility", () => void this.reload());
    listener.onGap(() => void this.reload());
  }

  get current(): Visibility {
    return this.#current;
  }

  /** Reads what is stored; calls follow one another, so the newest read wins. */
  reload(): Promise<void> {
    this.#reading = this.#reading.then(
      () => this.#read(),
      () => this.#read(),
    );
    return this.#reading;
  }

  async #read(): Promise<void> {
    this.#current = mergeVisibility(await readVisibilityOverrides(this.#sequelize));
  }
}
