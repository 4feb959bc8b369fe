import type { AssetImage } from "../../../models/assets/asset-image.ts";
import type { Context } from "../../platform/context.ts";
import { notFoundError } from "../../platform/errors/errors.ts";

/** Matches `body:17`, `land:3`, `item:3922` and, with a hue, `item:3922:1153`, each in one spelling. */
export const assetKeyPattern =
  /^(?:(?:body|item|land):(?:0|[1-9]\d{0,4})|item:(?:0|[1-9]\d{0,4}):[1-9]\d{0,4})$/;

type Models = Pick<Context, "models">;

/** @returns the hash of the picture that the key shows @throws AppError 404 */
export async function findPictureHash(key: string, { models }: Models): Promise<string> {
  const asset = await models.Asset.findByPk(key, { attributes: ["image"], raw: true });
  if (!asset?.image) throw notFoundError("The site has no picture of it");
  return asset.image;
}

/** @throws AppError 404 */
export const readPicture = (
  hash: string,
  context: Models,
): Promise<Pick<AssetImage, "mime" | "bytes">> =>
  readPictureColumns(hash, ["mime", "bytes"], context);

/** Reads the type of a picture without its bytes. @throws AppError 404 */
export const readPictureType = (hash: string, context: Models): Promise<Pick<AssetImage, "mime">> =>
  readPictureColumns(hash, ["mime"], context);

async function readPictureColumns<Column extends "mime" | "bytes">(
  hash: string,
  attributes: Column[],
  { models }: Models,
): Promise<Pick<AssetImage, Column>> {
  const picture = await models.AssetImage.findByPk(hash, { attributes, raw: true });
  if (!picture) throw notFoundError("The site has no such picture");
  return picture;
}
