export interface SurvivalSizes {
  /** All players ever seen. */
  readonly players: number;
  /** Players online at a boot. */
  readonly online: number;
  readonly clans: number;
  /** The side of the world in meters. */
  readonly worldSize: number;
  /** The side of the map image in pixels, without its margin. */
  readonly image: number;
  readonly oceanMargin: number;
  /** Users with their own permissions. */
  readonly holders: number;
  /** Users per inventory page. */
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
