import Joi from "joi";

import { count, flag, listOf, numbers, text, textOrNull, whole } from "../values/answer-parts.ts";
import { serial } from "../values/serial.ts";

export interface RosterLine {
  readonly serial: string;
  readonly name: string;
  readonly race: string | null;
  readonly female: boolean;
  readonly guild: string | null;
  readonly map: string | null;
  readonly online: boolean;
  readonly lastLogin: number | null;
}

export interface Roster {
  readonly account: string;
  readonly characters: RosterLine[];
}

interface VendorLocation {
  readonly map: string;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Left out by plugins that do not know it. */
  readonly region?: string | null | undefined;
  readonly house?: string | null | undefined;
}

/** A vendor as its owner is told of it; plugins tell what it holds or how many. */
export interface OwnVendor {
  readonly serial: string;
  readonly shopName: string | null;
  readonly location: VendorLocation | null;
  readonly gold: number;
  /** Null for a vendor that takes a commission instead. */
  readonly chargePerDay: number | null;
  readonly items: number | object[];
}

export interface OwnVendors {
  readonly account: string;
  readonly vendors: OwnVendor[];
}

export interface Skill {
  readonly name: string;
  readonly value: number;
  readonly cap: number;
  readonly lock: string;
}

export interface WornItem {
  readonly layer: string;
  readonly itemId: number;
  readonly hue: number;
  readonly name: string | null;
  readonly cliloc: number | null;
}

/**
 * @openapi
 * components:
 *   schemas:
 *     CharacterSheet:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, name, account, title, race, female, stats, resists, skills, fame, karma,
 *         kills, guild, virtues, equipment]
 *       properties:
 *         serial: { type: string }
 *         name: { type: string }
 *         account: { type: string, description: Name of the game account. }
 *         title: { type: string, nullable: true }
 *         race: { type: string, nullable: true }
 *         female: { type: boolean }
 *         stats:
 *           type: object
 *           description: Value of each stat, by the name of the stat.
 *           additionalProperties: { type: number }
 *         resists:
 *           type: object
 *           description: Resistances in percent, by kind of damage.
 *           additionalProperties: { type: number }
 *         skills:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [name, value, cap, lock]
 *             properties:
 *               name: { type: string }
 *               value: { type: number, description: 'In tenths of a point: 1000 is 100.0 points.' }
 *               cap: { type: number, description: 'In tenths of a point: 1000 is 100.0 points.' }
 *               lock:
 *                 type: string
 *                 description: >-
 *                   Whether the skill can rise, can fall or is locked, as the shard reports it.
 *         fame: { type: integer }
 *         karma: { type: integer }
 *         kills: { type: integer, description: Number of murders that the character has committed. }
 *         guild: { type: string, nullable: true }
 *         virtues:
 *           type: object
 *           description: Points of each virtue, by the name of the virtue.
 *           additionalProperties: { type: number }
 *         equipment:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [layer, itemId, hue, name, cliloc]
 *             properties:
 *               layer: { type: string, description: Place on the body where the item is worn. }
 *               itemId: { type: integer, description: Id of the item's graphic in the game client. }
 *               hue: { type: integer, description: Color number (hue) in the game. }
 *               name:
 *                 type: string
 *                 nullable: true
 *                 description: Name that a player gave the item. Null if the item has none.
 *               cliloc:
 *                 type: integer
 *                 nullable: true
 *                 description: >-
 *                   Number of the client text (cliloc) that is the item's name. Null if the shard
 *                   does not report it.
 */
export interface CharacterSheet {
  readonly serial: string;
  readonly name: string;
  readonly account: string;
  readonly title: string | null;
  readonly race: string | null;
  readonly female: boolean;
  readonly stats: Record<string, number>;
  readonly resists: Record<string, number>;
  readonly skills: Skill[];
  readonly fame: number;
  readonly karma: number;
  readonly kills: number;
  readonly guild: string | null;
  readonly virtues: Record<string, number>;
  readonly equipment: WornItem[];
}

const rosterLine = Joi.object<RosterLine, true>({
  serial: serial(),
  name: text,
  race: textOrNull,
  female: flag,
  guild: textOrNull,
  map: textOrNull,
  online: flag,
  lastLogin: count.allow(null),
});

export const rosterAnswer = Joi.object<Roster, true>({
  account: text,
  characters: listOf(rosterLine),
});

const location = Joi.object<VendorLocation>({
  map: text,
  x: whole,
  y: whole,
  z: whole,
  region: textOrNull.optional(),
  house: textOrNull.optional(),
});

const ownVendor = Joi.object<OwnVendor>({
  serial: serial(),
  shopName: textOrNull,
  location: location.allow(null),
  gold: whole,
  chargePerDay: Joi.number().allow(null),
  items: Joi.alternatives(count, listOf(Joi.object().unknown())),
});

export const vendorsAnswer = Joi.object<OwnVendors, true>({
  account: text,
  vendors: listOf(ownVendor),
});

const skill = Joi.object<Skill, true>({
  name: text,
  value: Joi.number(),
  cap: Joi.number(),
  lock: text,
});

const wornItem = Joi.object<WornItem, true>({
  layer: text,
  itemId: whole,
  hue: whole,
  name: textOrNull,
  cliloc: whole.allow(null),
});

export const characterAnswer = Joi.object<CharacterSheet, true>({
  serial: serial(),
  name: text,
  account: text,
  title: textOrNull,
  race: textOrNull,
  female: flag,
  stats: numbers,
  resists: numbers,
  skills: listOf(skill),
  fame: whole,
  karma: whole,
  kills: whole,
  guild: textOrNull,
  virtues: numbers,
  equipment: listOf(wornItem),
});
