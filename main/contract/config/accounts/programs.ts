import { z } from 'zod';
import { pluginParts } from './plugin-parts.ts';

/** Accounts whose credential comes from a program that speaks neither protocol of Kubernetes’ plugins. */

/** AWS keys by a program that prints them as `credential_process` does, such as `aws configure export-credentials`. */
export const awsProcessAccount = z.strictObject({
  ...pluginParts,
  timeoutSeconds: z.int().min(1).max(600).optional().describe('How long one run may take: 60.'),
});

/** A program of the person’s own that signs requests of proxied clusters (docs/request-signers.md). */
export const requestSignerAccount = z.strictObject({
  ...pluginParts,
  command: pluginParts.command.describe(
    'The signer: a name, found in searchPath; or a path, which counts from config.yaml’s folder where it isn’t absolute. It is kept running.',
  ),
  timeoutSeconds: z.int().min(1).max(60).default(5).describe('How long it may take to sign one request.'),
});

export type AwsProcessConfig = z.infer<typeof awsProcessAccount>;
export type RequestSignerConfig = z.infer<typeof requestSignerAccount>;
