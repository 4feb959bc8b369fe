/** What the id of a person's Steam account looks like; NPCs have smaller numbers. */
export const steamIdPattern = /^7656119\d{10}$/;
