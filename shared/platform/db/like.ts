/** A text as a LIKE pattern that stands for itself alone, whatever signs of LIKE are in it. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
