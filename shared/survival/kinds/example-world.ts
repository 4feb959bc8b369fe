export const exampleTime = 1_764_200_000_000;
/** Id of the world in the examples, which is its creation time. */
export const exampleSave = 1_764_158_400_000;
export const minuteMs = 60_000;

export const anna = { steamId: "76561198000000001", name: "Anna" };
export const bert = { steamId: "76561198012345678", name: "Bert" };

export const coast = { x: 812.5, z: -1_204, grid: "R24" };
