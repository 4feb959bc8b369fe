/**
 * What owners and staff see of the shard. The projections stand in shared/shard, where the rules are.
 *
 * @openapi
 * components:
 *   schemas:
 *     ShardLink:
 *       type: object
 *       additionalProperties: false
 *       required: [account, linkedAt]
 *       properties:
 *         account: { type: string }
 *         linkedAt: { type: string, format: date-time }
 *     AccountUnlinked:
 *       type: object
 *       additionalProperties: false
 *       required: [account, unlinked]
 *       properties:
 *         account: { type: string }
 *         unlinked: { type: boolean, description: Whether the shard still had the link. }
 *     GameAccount:
 *       type: object
 *       additionalProperties: false
 *       required: [account, linked]
 *       properties:
 *         account: { type: string }
 *         linked: { type: boolean, description: Whether it is linked to the caller. }
 *     VendorSale:
 *       type: object
 *       additionalProperties: false
 *       required: [t, itemType, amount, price, commission, ownerAcct]
 *       properties:
 *         t: { type: integer, description: Epoch milliseconds. }
 *         itemType: { type: string, example: Katana }
 *         amount: { type: integer }
 *         price: { type: integer, description: In coins. }
 *         commission: { type: integer, nullable: true }
 *         ownerAcct: { type: string, description: The game account of the owner. }
 *     ShardHouse:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, stage, map, x, y, z, region, name, type, ownerSerial, ownerAcct, price,
 *         coOwners, public, decayType, builtOn, lastRefreshed, lastTraded, nextStageAt, isIdoc,
 *         updatedAt]
 *       properties:
 *         serial: { type: string, example: '0x40012B00' }
 *         stage: { type: string, example: Fairly }
 *         map: { type: string, nullable: true }
 *         x: { type: integer, nullable: true }
 *         y: { type: integer, nullable: true }
 *         z: { type: integer, nullable: true }
 *         region: { type: string, nullable: true }
 *         name: { type: string, nullable: true }
 *         type: { type: string, nullable: true, example: TwoStoryVilla }
 *         ownerSerial: { type: string, nullable: true }
 *         ownerAcct: { type: string, nullable: true, description: Null to staff below admin. }
 *         price: { type: integer, nullable: true, description: In coins. }
 *         coOwners:
 *           description: Who they are, or how many, as the shard tells.
 *           oneOf: [{ type: integer, nullable: true }, { type: array, items: { type: string } }]
 *         public: { type: boolean, nullable: true }
 *         decayType: { type: string, nullable: true, example: ManualRefresh }
 *         builtOn: { type: string, format: date-time, nullable: true }
 *         lastRefreshed: { type: string, format: date-time, nullable: true }
 *         lastTraded: { type: string, format: date-time, nullable: true }
 *         nextStageAt: { type: string, format: date-time, nullable: true }
 *         isIdoc: { type: boolean }
 *         updatedAt: { type: string, format: date-time }
 *     Standing:
 *       type: object
 *       additionalProperties: false
 *       required: [governorOf, guildsLed]
 *       properties:
 *         governorOf: { type: array, items: { type: string }, description: Cities. }
 *         guildsLed:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [guildId, name, abbr]
 *             properties:
 *               guildId: { type: integer }
 *               name: { type: string, nullable: true }
 *               abbr: { type: string, nullable: true }
 *     ShardEvent:
 *       type: object
 *       additionalProperties: false
 *       required: [id, kind, t, bootId, payload, createdAt]
 *       properties:
 *         id: { type: integer }
 *         kind: { type: string, example: admin.audit }
 *         t: { type: integer, description: Epoch milliseconds. }
 *         bootId: { type: string, nullable: true }
 *         payload: { type: object, additionalProperties: true }
 *         createdAt: { type: string, format: date-time }
 *     ModerationDone:
 *       type: object
 *       additionalProperties: false
 *       required: [ok]
 *       properties:
 *         ok: { type: boolean }
 *         account: { type: string, description: To admins and to whoever named it. }
 *         kicked: { type: integer, description: Characters that were in the world. }
 *         until: { type: string, format: date-time, nullable: true, description: Null is for ever. }
 *         wasBanned: { type: boolean }
 *         recipients: { type: integer }
 *     PageDone:
 *       type: object
 *       additionalProperties: false
 *       required: [ok, id]
 *       properties:
 *         ok: { type: boolean }
 *         id: { type: string }
 *     Someone:
 *       description: A name, or a character.
 *       oneOf: [{ type: string, nullable: true }, { type: object, additionalProperties: true }]
 *     HelpPage:
 *       type: object
 *       additionalProperties: false
 *       required: [id, type, sender, message, location, sentAt, handler, responses]
 *       properties:
 *         id: { type: string }
 *         type: { type: string, example: Stuck }
 *         sender:
 *           type: object
 *           additionalProperties: false
 *           required: [serial, name]
 *           properties:
 *             serial: { type: string }
 *             name: { type: string }
 *         message: { type: string }
 *         location: { type: object, nullable: true, additionalProperties: true }
 *         sentAt: { type: string, format: date-time, nullable: true }
 *         handler: { $ref: '#/components/schemas/Someone' }
 *         responses:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [by, message, at]
 *             properties:
 *               by: { $ref: '#/components/schemas/Someone' }
 *               message: { type: string }
 *               at: { type: string, format: date-time, nullable: true }
 *     SignupMode:
 *       type: object
 *       additionalProperties: false
 *       required: [mode]
 *       properties:
 *         mode: { type: string, enum: [disabled, website, hybrid, game] }
 *     SignupModes:
 *       type: object
 *       additionalProperties: false
 *       required: [mode, modes]
 *       properties:
 *         mode: { type: string, enum: [disabled, website, hybrid, game] }
 *         modes: { type: array, items: { type: string } }
 *     TownCrierEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [id, lines, expiresAt]
 *       properties:
 *         id: { type: string }
 *         lines: { type: array, items: { type: string } }
 *         expiresAt: { type: string, format: date-time, nullable: true }
 *     TownCrierRemoved:
 *       type: object
 *       additionalProperties: false
 *       required: [id, removed]
 *       properties:
 *         id: { type: string }
 *         removed: { type: boolean }
 */

/**
 * Characters and vendors, as their owners see them.
 *
 * @openapi
 * components:
 *   schemas:
 *     Roster:
 *       type: object
 *       additionalProperties: false
 *       required: [account, characters]
 *       properties:
 *         account: { type: string }
 *         characters:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [serial, name, race, female, guild, map, online, lastLogin]
 *             properties:
 *               serial: { type: string }
 *               name: { type: string }
 *               race: { type: string, nullable: true }
 *               female: { type: boolean }
 *               guild: { type: string, nullable: true }
 *               map: { type: string, nullable: true }
 *               online: { type: boolean }
 *               lastLogin: { type: string, format: date-time, nullable: true }
 *     OwnVendors:
 *       type: object
 *       additionalProperties: false
 *       required: [account, vendors]
 *       properties:
 *         account: { type: string }
 *         vendors:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [serial, shopName, location, gold, chargePerDay, items]
 *             properties:
 *               serial: { type: string }
 *               shopName: { type: string, nullable: true }
 *               location: { type: object, nullable: true, additionalProperties: true }
 *               gold: { type: integer }
 *               chargePerDay: { type: number, nullable: true, description: Null on commission. }
 *               items:
 *                 description: What it holds, or how many, as the shard tells.
 *                 oneOf:
 *                   - { type: integer }
 *                   - { type: array, items: { type: object, additionalProperties: true } }
 *     CharacterSheet:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, name, account, title, race, female, stats, resists, skills, fame, karma,
 *         kills, guild, virtues, equipment]
 *       properties:
 *         serial: { type: string }
 *         name: { type: string }
 *         account: { type: string }
 *         title: { type: string, nullable: true }
 *         race: { type: string, nullable: true }
 *         female: { type: boolean }
 *         stats: { type: object, additionalProperties: { type: number } }
 *         resists: { type: object, additionalProperties: { type: number } }
 *         skills:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [name, value, cap, lock]
 *             properties:
 *               name: { type: string }
 *               value: { type: number, description: In tenths. }
 *               cap: { type: number }
 *               lock: { type: string }
 *         fame: { type: integer }
 *         karma: { type: integer }
 *         kills: { type: integer }
 *         guild: { type: string, nullable: true }
 *         virtues: { type: object, additionalProperties: { type: number } }
 *         equipment:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [layer, itemId, hue, name, cliloc]
 *             properties:
 *               layer: { type: string }
 *               itemId: { type: integer, description: Art id. }
 *               hue: { type: integer }
 *               name: { type: string, nullable: true }
 *               cliloc: { type: integer, nullable: true }
 */
