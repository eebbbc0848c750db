import { z } from 'zod';
import { durationText } from '../../duration.ts';
import { dockerHelperPrefix, isDockerHelper, isOwnProgram } from '../../program-names.ts';
import { pluginParts } from './plugin-parts.ts';

/** KEP-2133 from the kubelet’s side: an image credential provider, and how Lanyard runs it. */
export const credentialProviderAccount = z.strictObject({
  apiVersion: z
    .enum([
      'credentialprovider.kubelet.k8s.io/v1',
      'credentialprovider.kubelet.k8s.io/v1beta1',
      'credentialprovider.kubelet.k8s.io/v1alpha1',
    ])
    .describe('The version of the request; the plugin must answer with the same.'),
  ...pluginParts,
  command: pluginParts.command.refine((command) => !isDockerHelper(command), {
    error:
      'a credential helper of docker’s, which speaks another protocol than a kubelet’s provider: lanyard account add NAME --credential-helper HELPER',
  }),
  env: pluginParts.env.describe('Variables that the plugin gets beside its base, such as AWS_PROFILE.'),
  tokenAttributes: z
    .strictObject({
      serviceAccountTokenAudience: z
        .string()
        .max(1024)
        .optional()
        .describe('The audience that a kubelet requests its tokens for (lanyard image config). Required.'),
      cacheType: z
        .string()
        .max(64)
        .optional()
        .describe(
          'Token, or ServiceAccount: the plugin must not return the token as the password. Required.',
        ),
      requireServiceAccount: z
        .boolean()
        .optional()
        .describe('Don’t run the plugin without a service account’s token. Required.'),
      requiredServiceAccountAnnotationKeys: z
        .array(z.string().max(512))
        .max(64)
        .optional()
        .describe(
          'Annotations of the service account that the plugin gets; without one of them it isn’t run.',
        ),
      optionalServiceAccountAnnotationKeys: z
        .array(z.string().max(512))
        .max(64)
        .optional()
        .describe('Further annotations that the plugin gets.'),
    })
    .optional()
    .describe(
      'Pass the service account’s token of a request on to the plugin (KEP-4412); as in a kubelet’s CredentialProviderConfig. Only for version v1.',
    ),
  defaultCacheDuration: z
    .union([z.literal('0s'), durationText])
    .default('0s')
    .describe('How long an answer without a cacheDuration is cached, such as 12h; 0s: not at all.'),
});

/** Another credential helper of docker’s, which Lanyard asks. Its logins stay in its own store. */
export const credentialHelperAccount = z.strictObject({
  helper: z
    .string()
    .max(128)
    .regex(/^[A-Za-z0-9._-]+$/, 'expected the name of a credential helper: letters, digits and . _ -')
    .refine((name) => !isOwnProgram(`${dockerHelperPrefix}${name}`), {
      error: 'is Lanyard’s own helper: it would ask itself',
    })
    .describe(
      'NAME of the program docker-credential-NAME, as in docker’s credsStore: pass, secretservice, ecr-login.',
    ),
  env: pluginParts.env.describe('Variables that the helper gets beside its base, such as AWS_PROFILE.'),
  searchPath: pluginParts.searchPath.describe(
    'The helper’s PATH, where its program is found, too; absolute folders, as in PATH.',
  ),
  pin: pluginParts.pin,
  fallback: z
    .boolean()
    .default(false)
    .describe(
      'docker’s requests for servers that have neither a registry nor a stored entry go to this helper. One account at most.',
    ),
});

export type CredentialProviderConfig = z.infer<typeof credentialProviderAccount>;
export type CredentialHelperConfig = z.infer<typeof credentialHelperAccount>;
