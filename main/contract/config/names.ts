import { z } from 'zod';

/** Names of accounts, clusters and their like: they are used in commands, contexts and file names. */
export const configName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@:/-]*$/, 'a letter or digit, then letters, digits and . _ @ : / -');
