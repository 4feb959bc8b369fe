import type { AnyModel } from "./association.ts";
import type { Models } from "./definitions.ts";

/** Rows that name another by a key of it, and may name one that is not there. */
interface KeyedAssociation {
  readonly owner: AnyModel;
  /** What the owner calls its rows: plural where it may have several. */
  readonly rows: string;
  readonly row: AnyModel;
  /** What a row calls its owner. */
  readonly as: string;
  readonly foreignKey: string;
  /** The owner's column that it holds. */
  readonly key: string;
  readonly isOne?: true;
}

/** Ties what the schema has no foreign key for: either comes and goes by itself. */
export function tieByKeys(models: Models): void {
  for (const { owner, rows, row, as, foreignKey, key, isOne } of [
    ...ofAccounts(models),
    ...ofCreatureArt(models),
  ]) {
    const tie = { foreignKey, constraints: false };
    if (isOne) owner.hasOne(row, { as: rows, sourceKey: key, ...tie });
    else owner.hasMany(row, { as: rows, sourceKey: key, ...tie });
    row.belongsTo(owner, { as, targetKey: key, ...tie });
  }
}

/** What the shard said of a game account, which may be linked to nobody. */
function ofAccounts(models: Models): KeyedAssociation[] {
  const { Governor, Guild, House, OnlineCharacter, ShardLink } = models;
  const link = { owner: ShardLink, as: "link", key: "accountKey" } as const;
  return [
    { ...link, row: Governor, rows: "governors", foreignKey: "accountKey" },
    { ...link, row: Guild, rows: "guilds", foreignKey: "leaderAccountKey" },
    { ...link, row: House, rows: "houses", foreignKey: "ownerAccountKey" },
    { ...link, row: OnlineCharacter, rows: "onlineCharacters", foreignKey: "accountKey" },
  ];
}

/** Creatures come with the atlas and pictures with the artwork; a choice of operators outlasts both. */
function ofCreatureArt({ Asset, AtlasCreature, CreatureArt }: Models): KeyedAssociation[] {
  const art = { row: CreatureArt, foreignKey: "typeKey", key: "typeKey" };
  const chosen = { row: CreatureArt, foreignKey: "operatorKey", key: "key" };
  return [
    { ...art, owner: AtlasCreature, rows: "art", as: "creature", isOne: true },
    { ...chosen, owner: Asset, rows: "chosenFor", as: "chosen" },
  ];
}
