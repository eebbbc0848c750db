import { z } from 'zod';
import { pluginParts } from './plugin-parts.ts';

/** A program of the person’s own that signs requests of proxied clusters (docs/request-signers.md). */
export const requestSignerAccount = z.strictObject({
  ...pluginParts,
  command: pluginParts.command.describe(
    'The signer: a name, found in searchPath; or a path, which counts from config.yaml’s folder where it isn’t absolute. It is kept running.',
  ),
  timeoutSeconds: z.int().min(1).max(60).default(5).describe('How long it may take to sign one request.'),
});

export type RequestSignerConfig = z.infer<typeof requestSignerAccount>;
