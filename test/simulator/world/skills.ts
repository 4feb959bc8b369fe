/** The names of the 58 skills, by number. */
export const skillNames = (
  "Alchemy Anatomy AnimalLore ItemID ArmsLore Parry Begging Blacksmith Fletching Peacemaking " +
  "Camping Carpentry Cartography Cooking DetectHidden Discordance EvalInt Healing Fishing " +
  "Forensics Herding Hiding Provocation Inscribe Lockpicking Magery MagicResist Tactics " +
  "Snooping Musicianship Poisoning Archery SpiritSpeak Stealing Tailoring AnimalTaming TasteID " +
  "Tinkering Tracking Veterinary Swords Macing Fencing Wrestling Lumberjacking Mining " +
  "Meditation Stealth RemoveTrap Necromancy Focus Chivalry Bushido Ninjitsu Spellweaving " +
  "Mysticism Imbuing Throwing"
).split(" ");

/** Returns the number of the text that names a skill. */
export const skillCliloc = (index: number): number => 1_044_060 + index;
