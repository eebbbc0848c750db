import { z } from 'zod';

/** A slot, and what its token shows without a login. All texts are the token’s and the module’s: untrusted. */
export const slotView = z.object({
  slot: z.number(),
  description: z.string(),
  token: z
    .object({
      label: z.string(),
      manufacturer: z.string(),
      model: z.string(),
      serial: z.string(),
      flags: z.object({
        loginRequired: z.boolean(),
        pinPad: z.boolean(),
        initialized: z.boolean(),
        userPinSet: z.boolean(),
        triesLow: z.boolean(),
        finalTry: z.boolean(),
        locked: z.boolean(),
        writeProtected: z.boolean(),
      }),
      /** Those that sign, without `CKM_`. */
      mechanisms: z.array(z.string()),
      certificates: z.array(z.object({ label: z.string(), id: z.string(), pem: z.string() })),
      keys: z.array(
        z.object({
          label: z.string(),
          /** Hex. */
          id: z.string(),
          /** `rsa`, `ec`, or `other`. */
          kind: z.string(),
          bits: z.number().nullable(),
          curve: z.string().nullable(),
          /** The private key itself is seen; else its public one, which says that there is one. */
          private: z.boolean(),
          /** Which of `certificates` is its own, from 0; null: none. */
          certificate: z.number().nullable(),
          /** TLS’s numbers of the signature schemes, the preferred first. */
          schemes: z.array(z.int()),
          /** Why it can’t sign for TLS, for the user; null: it can. */
          problem: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
});
export type SlotView = z.infer<typeof slotView>;
export type TokenView = NonNullable<SlotView['token']>;
export type KeyView = TokenView['keys'][number];
