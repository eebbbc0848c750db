import { z } from 'zod';
import { jsonValue } from '../json-value.ts';
import { loaderFault, mayReachPlugin } from '../loader-variables.ts';
import { configName, displayName, labels } from './names.ts';
import { proxy } from './proxy.ts';
import { proxyUrl, serverUrl } from './url-rules.ts';
import { approvalText, certificateAuthorityData, filePath } from './values.ts';

/** A variable’s name, but none that makes a program load or run something else (rule: cleared-environment). */
const pluginVariable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'expected a variable’s name')
  .refine(mayReachPlugin, { error: loaderFault });

/** A cluster: where it is, and whose credential it gets. */
export const cluster = z.strictObject({
  displayName: displayName
    .optional()
    .describe(
      'What pages, menus and windows call it, in any script: `Payments (production)`. Where the name itself counts, it is shown beside it. Needs no approval.',
    ),
  aliases: z
    .array(configName)
    .max(16)
    .optional()
    .describe('More names by which searches, color rules and the command line find it. Need no approval.'),
  labels: labels
    .optional()
    .describe(
      'Labels as in Kubernetes, to search and colour by: `{team: payments, env: prod}`. Need no approval.',
    ),
  server: serverUrl.describe('The API server’s address, as in a kubeconfig.'),
  certificateAuthority: filePath.optional().describe('PEM file; without it the system’s CAs count.'),
  certificateAuthorityData: certificateAuthorityData.describe('The same as data, in place of the file.'),
  tlsServerName: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe('The name in the server’s certificate, where it isn’t the host.'),
  insecureSkipTlsVerify: z.boolean().default(false).describe('Don’t check the server’s certificate.'),
  // The three schemes that kubectl accepts.
  proxyUrl: proxyUrl(/^(https?|socks5)$/, 'expected an http://, https:// or socks5:// URL')
    .optional()
    .describe('Reach the server through this proxy.'),
  execConfig: jsonValue(64 * 1024)
    .optional()
    .describe(
      'What a plugin of its account is told of it as spec.cluster.config, with provideClusterInfo: any JSON. In a kubeconfig it is the cluster’s extension client.authentication.k8s.io/exec. Whole numbers beyond 2^53 are refused. No secrets.',
    ),
  disableCompression: z
    .boolean()
    .optional()
    .describe('Clients don’t ask the server for compressed answers, which is faster on a fast network.'),
  account: configName.describe('Whose credential this cluster gets.'),
  additionalArgs: z
    .array(
      z
        .string()
        .max(64 * 1024)
        .regex(/^[^\0]*$/, 'can’t hold a NUL'),
    )
    .max(256)
    .optional()
    .describe(
      'Arguments that its account’s exec plugin gets for this cluster, after its own. The answer is for this cluster alone. No secrets: others can see them.',
    ),
  additionalEnv: z
    .array(
      z.strictObject({
        name: pluginVariable,
        value: z
          .string()
          .max(64 * 1024)
          .regex(/^[^\0]*$/, 'can’t hold a NUL'),
      }),
    )
    .max(128)
    .optional()
    .describe(
      'Variables that its account’s exec plugin gets for this cluster; they win over the account’s. The answer is for this cluster alone. No secrets.',
    ),
  proxy: proxy
    .optional()
    .describe(
      'Clients send their requests through Lanyard’s request proxy on this machine, which adds the credential and does what the chain says. For servers that want more than one bearer token.',
    ),
  withoutInfo: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe('Whether a request without spec.cluster is answered.'),
  audience: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      'The cluster takes only tokens for this audience: the account’s is exchanged for one (RFC 8693).',
    ),
  approval: approvalText.describe(
    'When you are asked before a credential goes to this cluster: never, always, once per terminal, or once for this long (30s, 15m, 8h, 1d).',
  ),
  execCredential: z
    .enum(['ask', 'allow', 'refuse'])
    .default('ask')
    .describe(
      'Whether `lanyard exec-credential` prints this cluster’s credential: after you approve at the terminal (ask), always, or never.',
    ),
});

export type ClusterConfig = z.infer<typeof cluster>;
