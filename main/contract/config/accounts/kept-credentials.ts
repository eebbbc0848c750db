import { z } from 'zod';
import { identityTokenUser } from '../../identity-token.ts';
import { filePath } from '../values.ts';

/** Accounts whose credential is kept in the vault or in files, as it is. */

/** An account with one token, in the vault or a file. */
export const staticTokenAccount = z.strictObject({
  file: filePath.optional().describe('Read again when it changes. Without it the token is in the vault.'),
});

/** An account with one client certificate and its key, in files or the vault. */
export const clientCertificateAccount = z.strictObject({
  certificateFile: filePath.optional().describe('PEM with the certificate and its intermediates.'),
  keyFile: filePath.optional().describe('PEM with the private key.'),
});

/** A login at a container registry, as docker knows it. Its password or identity token is in the vault. */
export const registryAccount = z.strictObject({
  userName: z
    .string()
    .min(1)
    .max(256)
    // RFC 7617, section 2: a colon ends the user name.
    .regex(/^[^\p{Cc}:]+$/u, 'expected a user name: no colon and no control characters')
    .refine((text) => text !== identityTokenUser, { error: 'leave the user name out for an identity token' })
    .optional()
    .describe(
      'The user name that goes with the password. Without it the vault has an identity token in place of a password.',
    ),
});

export type ClientCertificateAccountConfig = z.infer<typeof clientCertificateAccount>;
