import type { Model } from "sequelize";

/** Columns that follow from others. */
const derived: readonly string[] = [
  "autoExcerpt",
  "bodyHtml",
  "toc",
  "renderer",
  "renderRules",
  "folded",
  "revision",
  "updatedAt",
  "updatedBy",
];

/** The names of what a change changes, for the activity log: no texts. */
export const changedFields = (row: Model): string[] => {
  const changed = row.changed();
  return changed === false ? [] : changed.filter((name) => !derived.includes(name));
};
