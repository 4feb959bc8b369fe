/** People and places of the examples of kinds, in the spelling in which events are stored. */
export const exampleTime = 1_764_200_000_000;
export const hourMs = 3_600_000;

export const luna = { map: "Malas", x: 990, y: 527, z: -50, region: "Luna" };
export const wild = { map: "Felucca", x: 2312, y: 1150, z: 0, region: null };

export const maple = { serial: "0x0000A001", name: "D'Artagnan" };
export const birch = { serial: "0x0000A0FF", name: "Mary-Anne" };
