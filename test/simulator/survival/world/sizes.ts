/** How large a survival world is. */
export interface SurvivalSizes {
  /** All who were ever seen. */
  readonly players: number;
  /** Of them connected at a boot. */
  readonly online: number;
  readonly clans: number;
  /** Of the world, in metres. */
  readonly worldSize: number;
  /** Pixels of the map image, without its margin. */
  readonly image: number;
  readonly oceanMargin: number;
  /** Users that hold permissions of their own. */
  readonly holders: number;
  /** Users on a page of the inventory. */
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
