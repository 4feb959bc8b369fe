export interface SurvivalSizes {
  /** The number of all players that the server has ever seen. */
  readonly players: number;
  /** The number of players who are online after a boot. */
  readonly online: number;
  readonly clans: number;
  /** The side of the world, in meters. */
  readonly worldSize: number;
  /** The side of the map picture in pixels, without the margin. */
  readonly image: number;
  readonly oceanMargin: number;
  /** The number of users who have permissions of their own. */
  readonly holders: number;
  /** The number of users per page of an inventory. */
  readonly inventoryPage: number;
}

export const fullWorld: SurvivalSizes = {
  players: 400,
  online: 200,
  clans: 60,
  worldSize: 4_500,
  image: 512,
  oceanMargin: 64,
  holders: 250,
  inventoryPage: 100,
};

export const smallWorld: SurvivalSizes = {
  players: 24,
  online: 12,
  clans: 4,
  worldSize: 3_000,
  image: 48,
  oceanMargin: 8,
  holders: 6,
  inventoryPage: 3,
};
