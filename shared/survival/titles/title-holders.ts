import type { TitleMode } from "../../../models/survival/survival-server.ts";
import type { SurvivalTitleRule } from "../../../models/survival/survival-title-rule.ts";
import type { StatName } from "../kinds/stat-names.ts";
import { cleanTitle, titleOf } from "./title-categories.ts";

export type TitleRule = Readonly<
  Pick<SurvivalTitleRule, "position" | "topN" | "text" | "color" | "enabled">
> & { readonly stat: StatName };

/** The setting of how many titles a player shows. */
export interface TitleSetting {
  readonly mode: TitleMode;
  /** Used only with the mode `upTo`. */
  readonly max: number | null;
}

export interface PlayerTitle {
  readonly text: string;
  readonly color: string | null;
  readonly stat: StatName;
  readonly rank: number;
}

export interface TitleHolder {
  readonly steamId: string;
  readonly titles: readonly PlayerTitle[];
}

type CategoryScores = { readonly [Stat in StatName]?: readonly PlayerScore[] };

/**
 * Returns the holders of titles by Steam id, with titles in rule order and limited by the setting. Among players
 * with equal values, the first to reach the value gets the title. A value of 0 gets no title.
 * @param written titles that staff wrote for categories
 */
export function assignTitles(
  rules: readonly TitleRule[],
  { mode, max }: TitleSetting,
  standings: CategoryScores,
  written: { readonly [Stat in StatName]?: string | null },
): TitleHolder[] {
  const held = new Map<string, PlayerTitle[]>();
  const inForce = rules
    .filter(({ enabled }) => enabled)
    .toSorted((one, other) => one.position - other.position);
  for (const rule of inForce) {
    const { stat, color } = rule;
    const text = cleanTitle(rule.text ?? "") || titleOf(stat, written[stat]);
    for (const { steamId, rank } of firstOf(standings[stat] ?? [], rule.topN)) {
      held.set(steamId, [...(held.get(steamId) ?? []), { text, color, stat, rank }]);
    }
  }
  const shown = maxTitlesByMode[mode](max);
  return [...held]
    .map(([steamId, titles]) => ({ steamId, titles: titles.slice(0, shown) }))
    .toSorted((one, other) => (one.steamId < other.steamId ? -1 : 1));
}

const maxTitlesByMode: Readonly<Record<TitleMode, (max: number | null) => number>> = {
  first: () => 1,
  all: () => Number.POSITIVE_INFINITY,
  upTo: (max) => max ?? 1,
};

const firstOf = (standings: readonly PlayerScore[], topN: number): RankedScore<PlayerScore>[] =>
  rankScores(standings.filter(({ value }) => value > 0)).slice(0, topN);

/** A player's value in one category. */
export interface PlayerScore {
  readonly steamId: string;
  readonly value: number;
  readonly reachedAt: Date;
}

type RankedScore<S extends PlayerScore> = S & { readonly rank: number };

/**
 * Sorts scores from the best down, and equal values by the time they were reached. Equal values share a rank: 1,
 * 2, 2, 4.
 */
export function rankScores<S extends PlayerScore>(standings: readonly S[]): RankedScore<S>[] {
  const ordered = standings.toSorted(compareScores);
  let rank = 0;
  return ordered.map((standing, at) => {
    if (ordered[at - 1]?.value !== standing.value) rank = at + 1;
    return { ...standing, rank };
  });
}

const compareScores = (one: PlayerScore, other: PlayerScore): number =>
  other.value - one.value ||
  one.reachedAt.valueOf() - other.reachedAt.valueOf() ||
  (one.steamId < other.steamId ? -1 : 1);
