/** What people know the site by: in authenticator apps and mails. */
export const siteName = "Guildhall";
