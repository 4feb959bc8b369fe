import { QueryTypes, type Sequelize } from "sequelize";

import type { ImportRun } from "../../imports/run-import.ts";
import { SourceFault } from "../../imports/source-fault.ts";
import type { AssetRow } from "../sources/asset-source.ts";
import type { BodyAnswer } from "../sources/body-resolution.ts";

/** Bodies of the atlas's creatures: as they were answered now, else as they are known. */
const creatureBodies = `
  select case when answer.type_key is null then creature.body else answer.body end as body
  from atlas_creatures creature join atlas_state using (generation)
  left join creature_stage answer on answer.stage = $1 and answer.type_key = creature.type_key`;

/** What to look for among the keys that came. */
export interface Wish {
  readonly playerBodies: readonly number[];
  /** Families that the shard serves. */
  readonly families: readonly string[];
  /** Also what is held already. */
  readonly force: boolean;
}

/** A catalogue that is being read, beside the one that is shown. */
export class AssetStage {
  readonly id: number;
  readonly #sequelize: Sequelize;

  private constructor(id: number, sequelize: Sequelize) {
    this.id = id;
    this.#sequelize = sequelize;
  }

  /** Begins anew, and removes what earlier attempts left behind. */
  static open(
    { whileHeld }: Pick<ImportRun, "whileHeld">,
    sequelize: Sequelize,
  ): Promise<AssetStage> {
    return whileHeld(async (sql) => {
      await sql.query("delete from asset_stage");
      await sql.query("delete from creature_stage");
      const { rows } = await sql.query<{ id: number }>(
        "select nextval('asset_stages')::integer as id",
      );
      return new AssetStage(rows[0]?.id ?? 0, sequelize);
    });
  }

  /** @throws {SourceFault} MALFORMED when a key comes twice: a wrong walk may still count right */
  async addKeys(rows: readonly AssetRow[]): Promise<void> {
    const added = await this.#sequelize.query<{ key: string }>(
      `insert into asset_stage (stage, key, sha256)
       select $1, * from unnest($2::text[], $3::text[])
       on conflict do nothing returning key`,
      {
        bind: [this.id, rows.map(([key]) => key), rows.map(([, sha256]) => sha256)],
        type: QueryTypes.SELECT,
      },
    );
    if (added.length === rows.length) return;
    throw new SourceFault("MALFORMED", "A key came twice");
  }

  /** Keys of the catalogue that is shown which did not come, the first `limit` of them. */
  async findVanished(limit: number): Promise<{ keys: string[]; count: number }> {
    const rows = await this.#sequelize.query<{ key: string; count: number }>(
      `select key, count(*) over () as count from assets
       where in_catalogue and not exists (
         select from asset_stage staged where staged.stage = $1 and staged.key = assets.key)
       order by family, length(key), key limit $2`,
      { bind: [this.id, limit], type: QueryTypes.SELECT },
    );
    return { keys: rows.map(({ key }) => key), count: rows[0]?.count ?? 0 };
  }

  async addBodies(answers: readonly BodyAnswer[]): Promise<void> {
    const rows = answers.map(({ type, ...answer }) => ({ ...answer, typeKey: type.toLowerCase() }));
    await this.#sequelize.query(
      `insert into creature_stage (stage, type_key, status, body)
       select $1, "typeKey", status, body
       from jsonb_to_recordset($2::jsonb) as answer ("typeKey" text, status text, body integer)`,
      { bind: [this.id, JSON.stringify(rows)] },
    );
  }

  /**
   * Marks the pictures to fetch: all land, the bodies of players and creatures, and whatever is
   * shown already in an older form. Other items come when the market needs them.
   * @returns how many
   */
  async markWanted({ playerBodies, families, force }: Wish): Promise<number> {
    const rows = await this.#sequelize.query(
      `update asset_stage staged set wanted = true
       where stage = $1 and split_part(key, ':', 1) = any ($2::text[])
         and (key like 'land:%' or key = any ($3::text[])
           or key in (select 'body:' || body from (${creatureBodies}) as creature)
           or exists (select from assets where assets.key = staged.key and image is not null))
         and ($4 or not exists (select from asset_images where hash = staged.sha256))
       returning key`,
      {
        bind: [this.id, families, playerBodies.map((body) => `body:${body}`), force],
        type: QueryTypes.SELECT,
      },
    );
    return rows.length;
  }

  /** The next pictures to fetch, each with the hash the catalogue promises. */
  async nextWanted(after: string, limit: number): Promise<Map<string, string>> {
    const rows = await this.#sequelize.query<{ key: string; sha256: string }>(
      `select key, sha256 from asset_stage where stage = $1 and wanted and key > $2
       order by key limit $3`,
      { bind: [this.id, after, limit], type: QueryTypes.SELECT },
    );
    return new Map(rows.map(({ key, sha256 }) => [key, sha256]));
  }

  async close(): Promise<void> {
    const bind = [this.id];
    await this.#sequelize.query("delete from asset_stage where stage = $1", { bind });
    await this.#sequelize.query("delete from creature_stage where stage = $1", { bind });
  }
}
