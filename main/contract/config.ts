import { z } from 'zod';

/**
 * config.yaml: no secrets, made to be read and edited by hand. The JSON Schema that ships is made from this
 * file (`npm run generate`). Keys are camelCase, names are the ids.
 */

/** Names of accounts and clusters: they stand in commands, contexts and file names. */
export const configName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@:/-]*$/, 'a letter or digit, then letters, digits and . _ @ : / -');

const path = z.string().min(1).max(4096);
const httpsUrl = z.url({ protocol: /^https?$/ });

export const oidcAccount = z.strictObject({
  issuer: httpsUrl.describe('The provider’s issuer, exactly as its discovery document says it.'),
  clientId: z.string().min(1).describe('The client registered for Kubernetes tools.'),
  flow: z.enum(['auto', 'device']).default('auto').describe('How a person logs in.'),
  scopes: z.array(z.string().min(1)).default(['openid', 'offline_access']),
  token: z.enum(['id', 'access']).default('id').describe('Which token the cluster takes.'),
  certificateAuthority: path.optional().describe('PEM file with the provider’s own CA.'),
});

export const staticTokenAccount = z.strictObject({
  file: path.optional().describe('Read again when it changes. Without it the token is in the vault.'),
});

export const clientCertificateAccount = z.strictObject({
  certificateFile: path.optional().describe('PEM with the certificate and its intermediates.'),
  keyFile: path.optional().describe('PEM with the private key.'),
});

/** One key names the kind. */
export const account = z.union([
  z.strictObject({ oidc: oidcAccount }),
  z.strictObject({ staticToken: staticTokenAccount }),
  z.strictObject({ clientCertificate: clientCertificateAccount }),
]);

export const cluster = z.strictObject({
  server: httpsUrl.describe('The API server’s address, as in a kubeconfig.'),
  certificateAuthority: path.optional().describe('PEM file; without it the system’s CAs count.'),
  tlsServerName: z.string().min(1).optional(),
  insecureSkipTlsVerify: z.boolean().default(false),
  proxyUrl: z.url({ protocol: /^(https?|socks5h?)$/ }).optional(),
  account: configName.describe('Whose credential this cluster gets.'),
  withoutInfo: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe('Whether a request without spec.cluster is answered (rule 3).'),
  approval: z.enum(['never']).default('never').describe('When a person is asked.'),
});

export const config = z.strictObject({
  version: z.literal(1),
  accounts: z.record(configName, account).default({}),
  clusters: z.record(configName, cluster).default({}),
});

export type OidcAccountConfig = z.infer<typeof oidcAccount>;
export type StaticTokenAccountConfig = z.infer<typeof staticTokenAccount>;
export type ClientCertificateAccountConfig = z.infer<typeof clientCertificateAccount>;
export type AccountConfig = z.infer<typeof account>;
export type ClusterConfig = z.infer<typeof cluster>;
export type Config = z.infer<typeof config>;
