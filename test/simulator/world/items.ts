import type { RandomSource } from "../random.ts";

export interface ItemKind {
  readonly itemId: number;
  readonly itemType: string;
  /** The text with the number 1020000 + itemId, in its original case. */
  readonly text: string;
  readonly stacks: boolean;
}

const kind = (itemId: number, itemType: string, text: string, stacks = false): ItemKind => ({
  itemId,
  itemType,
  text,
  stacks,
});

export const itemKinds: readonly ItemKind[] = [
  kind(3821, "Gold", "gold coin", true),
  kind(3922, "Dagger", "dagger"),
  kind(5049, "VikingSword", "viking sword"),
  kind(3937, "Longsword", "longsword"),
  kind(7154, "IronIngot", "ingots", true),
  kind(7133, "Log", "log", true),
  kind(3617, "Bandage", "clean bandage", true),
  kind(3962, "BlackPearl", "Black Pearl", true),
  kind(3963, "Bloodmoss", "Blood Moss", true),
  kind(3972, "Garlic", "Garlic", true),
  kind(3973, "Ginseng", "Ginseng", true),
  kind(3974, "MandrakeRoot", "Mandrake Root", true),
  kind(3976, "Nightshade", "Nightshade", true),
  kind(3980, "SulfurousAsh", "Sulfurous Ash", true),
  kind(3981, "SpidersSilk", "Spiders' Silk", true),
  kind(3903, "Arrow", "arrow", true),
  kind(7163, "Bolt", "crossbow bolt", true),
  kind(5990, "Cloth", "cut cloth", true),
  kind(4225, "Leather", "cut leather", true),
  kind(5141, "PlateChest", "platemail tunic"),
  kind(5137, "PlateLegs", "platemail legs"),
  kind(5136, "PlateArms", "platemail arms"),
  kind(5100, "RingmailChest", "ringmail tunic"),
  kind(7939, "Robe", "robe"),
  kind(7956, "RecallRune", "recall rune"),
  kind(3636, "BlankScroll", "blank scroll", true),
  kind(3834, "Spellbook", "Spellbook"),
  kind(8901, "Runebook", "Runebook"),
  kind(5356, "MapItem", "map"),
  kind(5360, "Deed", "deed"),
  kind(8792, "SmallSmithBOD", "a bulk order deed"),
  kind(5397, "Cloak", "cloak"),
  kind(5907, "FloppyHat", "floppy hat"),
  kind(3852, "HealPotion", "Yellow Potion"),
  kind(3851, "RefreshPotion", "Red Potion"),
  kind(3854, "Bottle", "empty bottle", true),
  kind(12120, "BaseTalisman", "talisman"),
  kind(11554, "Leafblade", "leafblade"),
  kind(4234, "GoldRing", "ring"),
  kind(4230, "GoldBracelet", "bracelet"),
  kind(4229, "Necklace", "necklace"),
  kind(2512, "Apple", "apple", true),
];

/** A container, in which priced items may lie. */
export const bag: ItemKind = kind(3702, "Bag", "bag");

/** Frequent hues of items. Each kind of item has a picture in each of them. */
export const marketHues = [33, 53, 1121, 1153, 2213] as const;

export const itemHue = (random: RandomSource): number => {
  if (random.chance(0.7)) return 0;
  return random.chance(0.7) ? random.pick(marketHues) : random.int(1, 3000);
};

export const nameClilocOf = (itemKind: ItemKind): number => 1_020_000 + itemKind.itemId;

/**
 * A power scroll. Its name is a template, and `args` contains the number of the text that names the
 * skill.
 */
export const powerScroll = {
  kind: kind(5360, "PowerScroll", "deed"),
  cliloc: 1_049_639,
  args: "#1044061",
} as const;
