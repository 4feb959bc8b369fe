import Joi from "joi";

import { count, flag, large, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import {
  accountOrNull,
  accounts,
  decimal,
  gameId,
  gameName,
  instantMs,
  playersWith,
} from "./fields.ts";
import { standing } from "./kind.ts";

const place = { x: decimal(), z: decimal(), rotation: maybe(decimal()) };

/** What the map shows, and where things are at this moment. */
export const mapKinds = {
  "map.info": standing(
    shape({
      saveId: instantMs(),
      worldSize: count(),
      seed: maybe(Joi.alternatives(text(32), large())),
      level: maybe(text(256)),
      imageHash: maybe(Joi.string().pattern(/^[\da-f]{64}$/)),
      width: maybe(count()),
      height: maybe(count()),
      oceanMargin: maybe(count()),
      background: maybe(text(32)),
      monuments: listOf(
        shape({ label: text(128), name: maybe(text(128)), x: decimal(), z: decimal() }),
      ),
    }),
  ),
  "map.live": standing(
    shape({
      at: instantMs(),
      gameTime: maybe(decimal()),
      events: listOf(
        shape({
          id: gameId(64),
          type: text(64),
          ...place,
          label: maybe(text(128)),
          since: maybe(instantMs()),
        }),
      ),
      players: playersWith({
        name: gameName(),
        ...place,
        health: maybe(decimal()),
        clan: maybe(text(128)),
        sleeping: maybe(flag()),
        dead: maybe(flag()),
      }),
      bases: listOf(
        shape({
          id: gameId(64),
          x: decimal(),
          z: decimal(),
          owner: maybe(accountOrNull()),
          auth: maybe(accounts()),
          protectedUntil: maybe(instantMs()),
        }),
      ),
    }),
  ),
};
