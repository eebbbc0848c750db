import { z } from 'zod';
import { loaderFault, mayReachPlugin } from '../../loader-variables.ts';
import { filePath } from '../values.ts';
import { readTokenUri } from './pkcs11-uri.ts';

/** What a token shows, in the bytes of PKCS#11: a label is 32 at most, a serial number 16. */
const shown = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}]*$/u, 'expected one line without control characters');

/** A key and its certificate on a token, such as a smart card, a YubiKey, or a TPM (PKCS#11). */
export const pkcs11Account = z
  .strictObject({
    module: filePath.describe(
      'The PKCS#11 module: the file of its library, as /usr/lib/x86_64-linux-gnu/opensc-pkcs11.so. What is loaded is the file that you approved.',
    ),
    uri: z
      .string()
      .max(2048)
      .superRefine((text, context) => {
        const read = readTokenUri(text);
        if (!read.ok) {
          context.addIssue({ code: 'custom', message: read.fault });
        }
      })
      .optional()
      .describe(
        'Which token and key, as an RFC 7512 URI: `pkcs11:token=work;object=me`. In place of the keys below. Without a PIN.',
      ),
    token: shown(32).optional().describe('The token’s label. Without all of these: the only token there is.'),
    serial: shown(16).optional().describe('The token’s serial number.'),
    slot: z
      .int()
      .min(0)
      .optional()
      .describe('The slot’s number. With many modules it changes: name the token by its label.'),
    label: shown(255)
      .optional()
      .describe('The key’s label. Without it and `id`: the only key with a certificate.'),
    id: z
      .string()
      .max(512)
      .regex(/^(?:[0-9A-Fa-f]{2})+$/, 'expected hex digits, two for each byte')
      .optional()
      .describe('The key’s id (CKA_ID), in hex.'),
    certificate: filePath
      .optional()
      .describe(
        'PEM file with the key’s certificate and its intermediates, where it isn’t on the token. Read again when it changes.',
      ),
    env: z
      .array(
        z.strictObject({
          name: z
            .string()
            .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'expected a variable’s name')
            .refine(mayReachPlugin, { error: loaderFault }),
          value: z
            .string()
            .max(64 * 1024)
            .regex(/^[^\0]*$/, 'can’t hold a NUL'),
        }),
      )
      .max(128)
      .default([])
      .describe('Variables that the module reads, such as SOFTHSM2_CONF or TPM2_PKCS11_STORE. No secrets.'),
  })
  .superRefine((value, context) => {
    const read = value.uri === undefined ? null : readTokenUri(value.uri);
    if (read?.ok && read.module !== null && read.module !== value.module) {
      const message = 'leave module-path out: module says which file it is';
      context.addIssue({ code: 'custom', path: ['uri'], message });
    }
    for (const key of value.uri === undefined ? [] : selectingKeys) {
      if (value[key] !== undefined) {
        context.addIssue({ code: 'custom', path: [key], message: 'the uri says it: leave one of them out' });
      }
    }
  });

/** What the URI stands in place of. */
const selectingKeys = ['token', 'serial', 'slot', 'label', 'id'] as const;

export type Pkcs11Config = z.infer<typeof pkcs11Account>;
