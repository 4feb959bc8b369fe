export const exampleTime = 1_764_200_000_000;
/** Id of the world in the documentation's examples: the world's creation time in epoch milliseconds. */
export const exampleSaveId = 1_764_158_400_000;
export const minuteMs = 60_000;

export const playerAnna = { steamId: "76561198000000001", name: "Anna" };
export const playerBert = { steamId: "76561198012345678", name: "Bert" };

export const coastPosition = { x: 812.5, z: -1_204, grid: "R24" };
