import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";
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

export const define = (sequelize: Sequelize): typeof SearchEntry =>
  class extends SearchEntry {}.init(
    {
      type: key(DataTypes.TEXT),
      refId: key(DataTypes.INTEGER),
      slug: required(DataTypes.TEXT),
      title: required(DataTypes.TEXT),
      text: required(DataTypes.TEXT),
      heading: required(DataTypes.TSVECTOR),
      words: required(DataTypes.TSVECTOR),
      audience: required(DataTypes.TEXT),
      visibleFrom: required(DataTypes.DATE),
    },
    { sequelize, modelName: "SearchEntry", tableName: "search_entries" },
  );
