/** The user name by which docker and its clients tell an identity token from a password (docker-credential-helpers). */
export const identityTokenUser = '<token>';
