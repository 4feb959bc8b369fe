/** The site's name in authenticator apps and mails. */
export const siteName = "Guildhall";
