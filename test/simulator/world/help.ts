import type { Character } from "./people.ts";
import type { Place } from "./places.ts";

export const pageTypes = [
  "Bug",
  "Stuck",
  "Account",
  "Question",
  "Suggestion",
  "Other",
  "VerbalHarassment",
  "PhysicalHarassment",
] as const;

export interface HelpPage {
  readonly id: string;
  readonly type: (typeof pageTypes)[number];
  readonly sender: Character;
  readonly message: string;
  readonly place: Place;
  readonly sentAt: number;
  handler: string | null;
  readonly responses: { readonly by: string; readonly message: string; readonly at: number }[];
}

export const pageRow = (page: HelpPage): Record<string, unknown> => ({
  id: page.id,
  type: page.type,
  sender: { serial: page.sender.serial, name: page.sender.name },
  message: page.message,
  location: page.place,
  sentAt: page.sentAt,
  handler: page.handler,
  responses: page.responses,
});

export interface CrierEntry {
  readonly id: string;
  readonly lines: readonly string[];
  readonly expiresAt: number;
}
