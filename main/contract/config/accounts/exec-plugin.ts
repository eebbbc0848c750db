import { z } from 'zod';
import { pluginParts } from './plugin-parts.ts';

/** `NAME`, or `PREFIX*` for all names that begin with PREFIX. */
const variablePattern = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,126}\*?$/,
    'expected a variable’s name, or the beginning of names and a *',
  );

/** The client’s side of KEP-541: `users[].user.exec` of a kubeconfig, and how Lanyard runs it. */
export const execPluginAccount = z.strictObject({
  apiVersion: z
    .enum([
      'client.authentication.k8s.io/v1',
      'client.authentication.k8s.io/v1beta1',
      'client.authentication.k8s.io/v1alpha1',
    ])
    .describe('What the plugin must answer with.'),
  command: pluginParts.command,
  args: pluginParts.args,
  env: pluginParts.env,
  installHint: z
    .string()
    .max(4096)
    .optional()
    .describe('What to do where the plugin isn’t there: shown then.'),
  provideClusterInfo: z
    .boolean()
    .default(false)
    .describe('Tell the plugin the cluster (spec.cluster); each cluster then has its own credential.'),
  interactiveMode: z
    .enum(['Never', 'IfAvailable', 'Always'])
    .optional()
    .describe('Whether it may ask the user. Required for v1; IfAvailable where an older version says none.'),
  searchPath: pluginParts.searchPath,
  environment: z
    .array(variablePattern)
    .max(64)
    .optional()
    .describe(
      'Variables of the caller that the answer depends on (AWS_PROFILE, AWS_*): each set of values has its own credential. For well-known plugins there is a default; [] is none.',
    ),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(3600)
    .optional()
    .describe('How long one run may take: 60, or 180 where the user can be asked.'),
  cacheSeconds: z
    .int()
    .min(1)
    .max(7 * 86_400)
    .optional()
    .describe(
      'How long an answer without an expirationTimestamp is kept; without this, for the calling process alone.',
    ),
  share: z
    .boolean()
    .default(true)
    .describe('false: it gets the caller’s whole environment, and its answer is for that terminal alone.'),
  passProxyConfig: z
    .boolean()
    .default(false)
    .describe(
      'true: a client with a lock file (KEP-2718) runs the plugin separately: the plugin gets that file, and the client the proxy that the plugin returns (status.proxyConfig).',
    ),
  pin: pluginParts.pin,
});

export type ExecPluginConfig = z.infer<typeof execPluginAccount>;
