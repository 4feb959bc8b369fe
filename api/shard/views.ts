/**
 * The shard's public records. Their projections stand in shared/shard, where the rules are.
 *
 * @openapi
 * components:
 *   schemas:
 *     EconomyPoint:
 *       type: object
 *       nullable: true
 *       additionalProperties: false
 *       required: [accounts, gold, t]
 *       properties:
 *         accounts: { type: integer, nullable: true }
 *         gold: { type: integer, nullable: true, description: In coins. }
 *         t: { type: integer, description: Epoch milliseconds. }
 *     ShardStatus:
 *       type: object
 *       additionalProperties: false
 *       required: [enabled, status, pluginConnected, lastEventAt, onlineCount, economy]
 *       properties:
 *         enabled: { type: boolean }
 *         status: { type: string, enum: [connected, reconnecting, disconnected, error] }
 *         pluginConnected: { type: boolean, description: Whether the game process is there now. }
 *         lastEventAt: { type: string, format: date-time, nullable: true }
 *         onlineCount: { type: integer }
 *         economy: { $ref: '#/components/schemas/EconomyPoint' }
 *     OnlinePlayer:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, name]
 *       properties:
 *         serial: { type: string, example: '0x0000A001' }
 *         name: { type: string }
 *         map: { type: string, nullable: true, description: For moderators and admins. }
 *         x: { type: integer, nullable: true }
 *         y: { type: integer, nullable: true }
 *         z: { type: integer, nullable: true }
 *     Presence:
 *       type: object
 *       additionalProperties: false
 *       required: [count, facets]
 *       properties:
 *         count: { type: integer }
 *         facets: { type: object, additionalProperties: { type: integer } }
 *         regions: { type: object, additionalProperties: { type: integer } }
 *     PublicHouse:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, stage, map, x, y, z, isIdoc, updatedAt]
 *       properties:
 *         serial: { type: string, example: '0x40012B00' }
 *         stage: { type: string, example: IDOC }
 *         map: { type: string, nullable: true }
 *         x: { type: integer, nullable: true }
 *         y: { type: integer, nullable: true }
 *         z: { type: integer, nullable: true }
 *         region: { type: string, nullable: true }
 *         name: { type: string, nullable: true }
 *         isIdoc: { type: boolean }
 *         updatedAt: { type: string, format: date-time }
 *     PointsRank:
 *       type: object
 *       additionalProperties: false
 *       required: [rank, serial, points]
 *       properties:
 *         rank: { type: integer }
 *         serial: { type: string }
 *         name: { type: string, nullable: true, description: Left out where names are gated. }
 *         points: { type: integer }
 *     PointsBoard:
 *       type: object
 *       additionalProperties: false
 *       required: [system, nameString, nameNumber, maxPoints, players, showOnGump, top, t, updatedAt]
 *       properties:
 *         system: { type: string, example: QueensLoyalty }
 *         nameString: { type: string, nullable: true }
 *         nameNumber: { type: integer, nullable: true, description: 0 when the name is literal. }
 *         maxPoints: { type: integer, nullable: true }
 *         players: { type: integer, nullable: true }
 *         showOnGump: { type: boolean }
 *         top: { type: array, items: { $ref: '#/components/schemas/PointsRank' } }
 *         t: { type: integer, nullable: true, description: Epoch milliseconds. }
 *         updatedAt: { type: string, format: date-time }
 *     ShardFeatures:
 *       type: object
 *       additionalProperties: false
 *       required: [level, features]
 *       properties:
 *         level: { type: string, enum: [anonymous, logged_in, player, staff, admin] }
 *         features: { type: array, items: { type: string } }
 *     ShardlinkConfig:
 *       type: object
 *       additionalProperties: false
 *       required: [baseUrl, wsUrl, hasToken, protocol, enabled, status, reason, health, stats]
 *       properties:
 *         baseUrl: { type: string }
 *         wsUrl: { type: string }
 *         hasToken: { type: boolean }
 *         protocol: { type: integer }
 *         enabled: { type: boolean }
 *         status: { type: string, enum: [connected, reconnecting, disconnected, error] }
 *         reason: { type: string, nullable: true }
 *         health: { type: object, nullable: true, additionalProperties: true }
 *         stats:
 *           type: object
 *           additionalProperties: false
 *           properties:
 *             received: { type: integer }
 *             stored: { type: integer }
 *             duplicates: { type: integer }
 *             rejected: { type: integer }
 *             gaps: { type: integer }
 *             cursor:
 *               type: object
 *               nullable: true
 *               properties:
 *                 epoch: { type: string }
 *                 seq: { type: integer }
 *             lastAckAt: { type: string, format: date-time, nullable: true }
 *             owner: { type: string, nullable: true, description: 'Host and process id of ingest.' }
 *     RejectedFrame:
 *       type: object
 *       additionalProperties: false
 *       required: [id, at, reason, detail, kind, excerpt]
 *       properties:
 *         id: { type: integer }
 *         at: { type: string, format: date-time }
 *         reason: { type: string }
 *         detail: { type: string, nullable: true }
 *         kind: { type: string, nullable: true }
 *         excerpt: { type: string }
 *     FeatureVisibility:
 *       type: object
 *       required: [enabled, audience, stream, fieldRules]
 *       properties:
 *         enabled: { type: boolean }
 *         audience: { type: string, enum: [anonymous, logged_in, player, staff, admin] }
 *         stream: { type: boolean }
 *         fieldRules: { type: object, additionalProperties: { type: string } }
 *     VisibilityConfig:
 *       type: object
 *       additionalProperties: false
 *       required: [ladder, lockedFields, defaults, features]
 *       properties:
 *         ladder: { type: array, items: { type: string } }
 *         lockedFields: { type: array, items: { type: string } }
 *         defaults: { type: object, additionalProperties: { $ref: '#/components/schemas/FeatureVisibility' } }
 *         features: { type: object, additionalProperties: { $ref: '#/components/schemas/FeatureVisibility' } }
 */

/**
 * The market. Fields gated above the caller are left out.
 *
 * @openapi
 * components:
 *   schemas:
 *     MarketLocation:
 *       type: object
 *       nullable: true
 *       additionalProperties: false
 *       required: [map, x, y, z, region, house]
 *       properties:
 *         map: { type: string, nullable: true, example: Malas }
 *         x: { type: integer, nullable: true }
 *         y: { type: integer, nullable: true }
 *         z: { type: integer, nullable: true }
 *         region: { type: string, nullable: true, example: Luna }
 *         house: { type: string, nullable: true, description: What the sign says; null outside. }
 *     ListingVendor:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, shopName, updatedAt]
 *       properties:
 *         serial: { type: string, example: '0x0000A001' }
 *         shopName: { type: string, nullable: true }
 *         ownerSerial: { type: string, nullable: true, description: Left out where gated. }
 *         ownerName: { type: string, nullable: true, description: Left out where gated. }
 *         location: { $ref: '#/components/schemas/MarketLocation' }
 *         updatedAt: { type: string, format: date-time }
 *     MarketListing:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, itemId, hue, amount, price, name, cliloc, displayName, child, vendor]
 *       properties:
 *         serial: { type: string, example: '0x40001A2B' }
 *         itemId: { type: integer, description: Art id. }
 *         hue: { type: integer }
 *         amount: { type: integer }
 *         price: { type: integer, description: In coins. }
 *         name: { type: string, nullable: true, description: The name a player gave it. }
 *         cliloc: { type: integer, nullable: true }
 *         displayName:
 *           type: string
 *           nullable: true
 *           description: The name, else the text of the cliloc; null without a table of texts.
 *         child: { type: boolean, description: Priced by the container it lies in. }
 *         vendor: { $ref: '#/components/schemas/ListingVendor' }
 *     MarketPage:
 *       type: object
 *       additionalProperties: false
 *       required: [listings, total, limit, offset, vendors, staleAt]
 *       properties:
 *         listings: { type: array, items: { $ref: '#/components/schemas/MarketListing' } }
 *         total: { type: integer, description: 'All that match, whatever the page.' }
 *         limit: { type: integer }
 *         offset: { type: integer }
 *         vendors: { type: integer, description: Vendors in the whole market. }
 *         staleAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the vendor silent for longest was last heard of.
 *     MarketVendor:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, shopName, updatedAt, count, total, truncated, items]
 *       properties:
 *         serial: { type: string, example: '0x0000A001' }
 *         shopName: { type: string, nullable: true }
 *         ownerSerial: { type: string, nullable: true, description: Left out where gated. }
 *         ownerName: { type: string, nullable: true, description: Left out where gated. }
 *         location: { $ref: '#/components/schemas/MarketLocation' }
 *         updatedAt: { type: string, format: date-time }
 *         count: { type: integer, description: Listings published. }
 *         total: { type: integer, description: 'Listings held, those that are not for sale too.' }
 *         truncated: { type: boolean, description: Whether total exceeds count. }
 *         items: { type: array, items: { $ref: '#/components/schemas/MarketListing' } }
 *     MarketMeta:
 *       type: object
 *       additionalProperties: false
 *       required: [vendors, items, staleAt, freshAt]
 *       properties:
 *         vendors: { type: integer }
 *         items: { type: integer }
 *         staleAt: { type: string, format: date-time, nullable: true }
 *         freshAt: { type: string, format: date-time, nullable: true }
 *         maps:
 *           type: array
 *           items: { type: string }
 *           description: Facets that hold vendors; left out where locations are gated.
 *         regions: { type: array, items: { type: string } }
 */
