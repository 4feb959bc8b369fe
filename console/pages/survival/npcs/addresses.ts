/** The address of the list of NPC profiles. */
export const listAddress = "/console/survival/npcs";
