import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, requiredColumn } from "../columns.ts";
import type { PageAudience } from "./page.ts";

export type ContentType = "post" | "wiki" | "page";

/** A published text in the search index. Drafts have no entry. */
export class SearchEntry extends Model<
  InferAttributes<SearchEntry>,
  InferCreationAttributes<SearchEntry>
> {
  declare type: ContentType;
  declare refId: number;
  declare slug: string;
  declare title: string;
  /** The body as plain text, for excerpts. */
  declare text: string;
  /** The words of title, tags and excerpt. They are few enough to rank every hit by them. */
  declare heading: string;
  /** Words of the heading and the body. */
  declare words: string;
  declare audience: PageAudience;
  declare visibleFrom: Date;
}

export const defineModel = (sequelize: Sequelize): typeof SearchEntry =>
  class extends SearchEntry {}.init(
    {
      type: primaryKeyColumn(DataTypes.TEXT),
      refId: primaryKeyColumn(DataTypes.INTEGER),
      slug: requiredColumn(DataTypes.TEXT),
      title: requiredColumn(DataTypes.TEXT),
      text: requiredColumn(DataTypes.TEXT),
      heading: requiredColumn(DataTypes.TSVECTOR),
      words: requiredColumn(DataTypes.TSVECTOR),
      audience: requiredColumn(DataTypes.TEXT),
      visibleFrom: requiredColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "SearchEntry", tableName: "search_entries" },
  );
